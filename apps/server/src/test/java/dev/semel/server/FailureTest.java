package dev.semel.server;

import static dev.semel.server.Served.TEXT;
import static dev.semel.server.Served.header;
import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.StoreException;
import dev.semel.stream.MemoryStreams;
import dev.semel.stream.spi.Streams;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.net.http.HttpResponse;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Answers to callers when the engine fails, or answers on another thread. */
@Tag("service")
@SuppressWarnings("FutureReturnValueIgnored") // a proxy returns whatever its handler returns
class FailureTest {
  private static final String SECRET = "disk /dev/secret failed";

  /** Fails with the failure that is set; closing works. */
  private static Streams failing(AtomicReference<Optional<Supplier<RuntimeException>>> failure) {
    MemoryStreams streams = new MemoryStreams(InstantSource.system());
    return proxy(
        (method, call) -> {
          if (failure.get().isEmpty() || method.getName().equals("close")) {
            return call.get();
          }
          RuntimeException why = failure.get().get().get();
          if (method.getReturnType().equals(CompletionStage.class)) {
            return CompletableFuture.failedStage(why);
          }
          throw why;
        },
        streams);
  }

  /** Its result is ignored if the method returns nothing. */
  private interface Around {
    Object call(Method method, Supplier<Object> call);
  }

  private static Streams proxy(Around around, Streams streams) {
    return (Streams)
        Proxy.newProxyInstance(
            Streams.class.getClassLoader(),
            new Class<?>[] {Streams.class},
            (proxy, method, arguments) -> {
              Object result =
                  around.call(
                      method,
                      () -> {
                        try {
                          return method.invoke(streams, arguments);
                        } catch (InvocationTargetException e) {
                          throw new IllegalStateException(e.getCause());
                        } catch (IllegalAccessException e) {
                          throw new IllegalStateException(e);
                        }
                      });
              return method.getReturnType().equals(void.class) ? null : result;
            });
  }

  @Test
  void anEngineThatCanNotPromiseAnythingIsToldWithoutItsReasons() {
    AtomicReference<Optional<Supplier<RuntimeException>>> failure =
        new AtomicReference<>(Optional.empty());
    try (Served served = Served.with(Served.settings(), failing(failure))) {
      served.put("a", TEXT, "x");
      failure.set(Optional.of(() -> new StoreException(SECRET)));
      for (HttpResponse<String> told : everyCall(served)) {
        assertThat(told.statusCode()).isEqualTo(503);
        assertThat(told.body()).contains("store-unavailable").doesNotContain("secret");
        assertThat(header(told, "Retry-After")).isNotEmpty();
      }
      failure.set(Optional.empty());
      assertThat(served.get("/v1/stream/a").body()).isEqualTo("x");
    }
  }

  @Test
  void aBugIsToldWithoutItsReasons() {
    AtomicReference<Optional<Supplier<RuntimeException>>> failure =
        new AtomicReference<>(Optional.empty());
    try (Served served = Served.with(Served.settings(), failing(failure))) {
      failure.set(Optional.of(() -> new IllegalStateException(SECRET)));
      for (HttpResponse<String> told : everyCall(served)) {
        assertThat(told.statusCode()).isEqualTo(500);
        assertThat(told.body()).doesNotContain("secret");
      }
    }
  }

  private static Iterable<HttpResponse<String>> everyCall(Served served) {
    return List.of(
        served.put("a", TEXT, "x"),
        served.post("a", TEXT, "x"),
        served.get("/v1/stream/a"),
        served.get("/v1/stream/a?offset=-1&live=long-poll"),
        served.get("/v1/stream/a?offset=-1&live=sse"),
        served.send("DELETE", "/v1/stream/a", ""),
        served.get("/api/v1/streams"),
        served.get("/api/v1/producers?stream=a"),
        served.get("/readyz"));
  }

  /** Answers from another thread return to the connection's event loop. */
  @Test
  void anEngineMayAnswerFromAnotherThread() {
    MemoryStreams streams = new MemoryStreams(InstantSource.system());
    try (ExecutorService elsewhere = Executors.newSingleThreadExecutor()) {
      Streams far =
          proxy(
              (method, call) -> {
                if (method.getName().equals("append")) {
                  return elsewhere.submit(call::get);
                }
                if (!method.getReturnType().equals(CompletionStage.class)) {
                  return call.get();
                }
                CompletionStage<?> answer =
                    CompletableFuture.supplyAsync(call, elsewhere)
                        .thenCompose(stage -> (CompletionStage<?>) stage);
                return answer;
              },
              streams);
      try (Served served = Served.with(Served.settings(), far)) {
        served.put("far", TEXT, "");
        CompletableFuture<HttpResponse<String>> poll =
            served.sendLater("GET", "/v1/stream/far?offset=-1&live=long-poll", "");
        for (int i = 0; i < 200; i++) {
          assertThat(served.post("far", TEXT, "x").statusCode()).isEqualTo(204);
        }
        assertThat(poll.join().body()).startsWith("x");
        assertThat(served.get("/v1/stream/far").body()).hasSize(200);
      }
    }
  }
}
