package dev.semel.spring.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.InvalidInput;
import dev.semel.event.SemelListener;
import dev.semel.http.HttpIdempotency;
import dev.semel.http.HttpRules;
import dev.semel.idempotency.Idempotency;
import dev.semel.idempotency.MemoryStore;
import dev.semel.servlet.GuardedRoute;
import dev.semel.servlet.IdempotencyFilter;
import java.lang.reflect.Method;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.RequestMethod;
import org.springframework.web.context.request.async.DeferredResult;
import org.springframework.web.context.request.async.WebAsyncTask;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.mvc.method.RequestMappingInfo;
import org.springframework.web.servlet.mvc.method.annotation.ResponseBodyEmitter;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;
import org.springframework.web.servlet.mvc.method.annotation.StreamingResponseBody;

final class AsyncHandlersTest {
  /** Asynchronous handlers; only their types matter. */
  interface Elsewhere {
    CompletableFuture<String> future();

    CompletionStage<String> stage();

    Callable<String> callable();

    DeferredResult<String> deferred();

    WebAsyncTask<String> task();

    StreamingResponseBody stream();

    ResponseEntity<StreamingResponseBody> streamInEntity();

    ResponseBodyEmitter emitter();

    SseEmitter events();

    Flow.Publisher<String> publisher();

    Object anything();
  }

  /** Synchronous handlers; only their types matter. */
  interface Here {
    String text();

    void nothing();

    Map<String, Object> map();

    List<CompletableFuture<String>> list();

    ResponseEntity<String> entity();

    ResponseEntity<?> anyEntity();
  }

  /** A handler whose type only the controller defines. */
  interface Generic<T> {
    T answer();
  }

  interface Text extends Generic<String> {}

  interface Future extends Generic<CompletableFuture<String>> {}

  private static Stream<HandlerMethod> methods(Class<?> type) {
    return Arrays.stream(type.getMethods()).map(method -> new HandlerMethod(of(type), method));
  }

  /** A bean of the type, which is never called. */
  private static Object of(Class<?> type) {
    return java.lang.reflect.Proxy.newProxyInstance(
        type.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> null);
  }

  private static boolean generic(Class<?> type) throws Exception {
    Method method = type.getMethod("answer");
    return AsyncHandlers.mayAnswerElsewhere(type, method);
  }

  @Test
  void theReturnTypeSaysWhereTheAnswerComesFrom() throws Exception {
    assertThat(Elsewhere.class.getMethods())
        .allMatch(method -> AsyncHandlers.mayAnswerElsewhere(Elsewhere.class, method));
    assertThat(Here.class.getMethods())
        .noneMatch(method -> AsyncHandlers.mayAnswerElsewhere(Here.class, method));
    assertThat(generic(Future.class)).isTrue();
    assertThat(generic(Text.class)).isFalse();
  }

  private static void require(String pattern, RequestMethod... methods) {
    try (Idempotency idempotency =
        new Idempotency(new MemoryStore(InstantSource.system()), SemelListener.NONE)) {
      HttpIdempotency http = new HttpIdempotency(idempotency, HttpRules.of("http"));
      IdempotencyFilter filter =
          new IdempotencyFilter(
              List.of(
                  new GuardedRoute("/api/payments/*", http), new GuardedRoute("/api/one", http)));
      AsyncHandlers.requireNone(
          Map.of(
              RequestMappingInfo.paths(pattern).methods(methods).build(),
              methods(Future.class).findFirst().orElseThrow()),
          filter,
          "/api");
    }
  }

  @Test
  void onlyWhatIsGuardedIsRefused() {
    for (String guarded :
        List.of("/payments", "/payments/{id:[a-z]{3}}", "/payments/*/notes", "one")) {
      assertThatThrownBy(() -> require(guarded, RequestMethod.POST))
          .as(guarded)
          .isInstanceOf(InvalidInput.class)
          .hasMessageContaining(".answer");
    }
    assertThatThrownBy(() -> require("/payments")).isInstanceOf(InvalidInput.class);
    require("/payments", RequestMethod.GET);
    require("/orders/{id}", RequestMethod.POST);
    require("/one/more", RequestMethod.POST);
    require("/{anything}", RequestMethod.POST); // which the request will show
  }
}
