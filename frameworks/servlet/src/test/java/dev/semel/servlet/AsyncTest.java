package dev.semel.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.http.HttpHeader;
import dev.semel.http.HttpRefusal;
import dev.semel.idempotency.Execution;
import dev.semel.idempotency.ExecutionPolicy;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Handlers that answer from another thread: recorded when they complete, and not before. */
final class AsyncTest {
  private static void print(AsyncContext async, String text) {
    try {
      async.getResponse().getOutputStream().print(text);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(20, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void theAnswerOfAnotherThreadIsReplayed() {
    AtomicInteger runs = new AtomicInteger();
    try (Shop shop =
        Shop.of(
            (request, response) -> {
              AsyncContext async = request.startAsync();
              assertThat(request.isAsyncStarted()).isTrue();
              int run = runs.incrementAndGet();
              async.start(
                  () -> {
                    ((HttpServletResponse) async.getResponse()).setStatus(201);
                    print(async, "run " + run);
                    async.complete();
                  });
            })) {
      String key = Shop.freshKey();
      HttpResponse<byte[]> first = shop.post(key);
      assertThat(first.statusCode()).isEqualTo(201);
      assertThat(Shop.text(first)).isEqualTo("run 1");
      Shop.assertReplayed(first, shop.post(key));
      assertThat(runs).hasValue(1);
    }
  }

  @Test
  void theKeyIsHeldUntilItCompletes() throws Exception {
    CountDownLatch began = new CountDownLatch(1);
    CountDownLatch end = new CountDownLatch(1);
    Duration lease = Duration.ofSeconds(3); // renewed in time even on a busy machine
    try (Shop shop =
        Shop.of(
            Shop.RULES.withPolicy(ExecutionPolicy.defaults().withLease(lease)),
            (request, response) -> {
              Execution execution = IdempotencyFilter.execution(request).orElseThrow();
              AsyncContext async = request.startAsync();
              async.start(
                  () -> {
                    began.countDown();
                    await(end);
                    print(async, "held " + execution.held());
                    async.complete();
                  });
            })) {
      String key = Shop.freshKey();
      CompletableFuture<HttpResponse<byte[]>> first =
          CompletableFuture.supplyAsync(() -> shop.post(key));
      await(began);
      long longerThanTheLease = System.nanoTime() + lease.plusSeconds(1).toNanos();
      while (System.nanoTime() - longerThanTheLease < 0) {
        HttpResponse<byte[]> meanwhile = shop.post(key);
        assertThat(meanwhile.statusCode()).isEqualTo(409);
        assertThat(Shop.text(meanwhile)).contains(HttpRefusal.IN_FLIGHT.type());
      }
      end.countDown();
      assertThat(Shop.text(first.get(20, TimeUnit.SECONDS))).isEqualTo("held true");
      assertThat(Shop.header(shop.post(key), HttpHeader.REPLAYED)).isEqualTo("true");
    }
  }

  @Test
  void aDispatchAnswersAsPartOfTheSameExecution() {
    AtomicInteger runs = new AtomicInteger();
    try (Shop shop =
        Shop.of(
            (request, response) -> {
              if (request.getAttribute(AsyncContext.ASYNC_REQUEST_URI) != null) {
                assertThat(request.isAsyncStarted()).isFalse();
                response.getOutputStream().print("result " + request.getAttribute("result"));
                return;
              }
              runs.incrementAndGet();
              AsyncContext async = request.startAsync();
              async.start(
                  () -> {
                    async.getRequest().setAttribute("result", 42);
                    async.dispatch();
                  });
            })) {
      String key = Shop.freshKey();
      HttpResponse<byte[]> first = shop.post(key, "/pay?a=b", "text/plain", new byte[0]);
      assertThat(Shop.text(first)).isEqualTo("result 42");
      Shop.assertReplayed(first, shop.post(key, "/pay?a=b", "text/plain", new byte[0]));
      assertThat(runs).hasValue(1);
      assertThat(shop.records()).isEqualTo(1);
    }
  }

  @Test
  void listenersHearOfTheEndAndANewStartAndAFailedDispatchIsGivenBack() {
    ConcurrentLinkedQueue<String> heard = new ConcurrentLinkedQueue<>();
    AtomicInteger runs = new AtomicInteger();
    try (Shop shop =
        Shop.of(
            (request, response) -> {
              if (request.getAttribute(AsyncContext.ASYNC_REQUEST_URI) != null) {
                throw new IllegalStateException("broken");
              }
              AsyncContext async = request.startAsync();
              async.addListener(new Heard(heard));
              if (runs.incrementAndGet() == 1) {
                async.dispatch("/again");
              } else {
                async.complete();
              }
            })) {
      String key = Shop.freshKey();
      assertThat(shop.post(key).statusCode()).isEqualTo(500);
      assertThat(heard).containsExactly("error");
      assertThat(shop.post(key).statusCode()).isEqualTo(200);
      assertThat(heard).containsExactly("error", "complete");
      assertThat(runs).hasValue(2);
    }
  }

  /** A framework that checks after its handler returned would write a second answer. */
  @Test
  void untilTheHandlerReturnsItIsAsynchronousHoweverSoonItIsOver() {
    ConcurrentLinkedQueue<Boolean> started = new ConcurrentLinkedQueue<>();
    try (Shop shop =
        Shop.of(
            (request, response) -> {
              if (request.getAttribute(AsyncContext.ASYNC_REQUEST_URI) != null) {
                started.add(request.isAsyncStarted());
                request.startAsync().complete();
                started.add(request.isAsyncStarted());
                return;
              }
              request.startAsync().dispatch();
              started.add(request.isAsyncStarted());
            })) {
      assertThat(shop.post(Shop.freshKey()).statusCode()).isEqualTo(200);
      assertThat(started).containsExactly(true, false, true);
    }
  }

  /** Some containers empty the buffer before a forward, which handlers don't expect. */
  @Test
  void whatWasWrittenBeforeADispatchIsPartOfTheAnswer() {
    try (Shop shop =
        Shop.of(
            (request, response) -> {
              if (request.getAttribute(AsyncContext.ASYNC_REQUEST_URI) != null) {
                response.resetBuffer();
                response.getOutputStream().print("lost");
                response.resetBuffer();
                response.getOutputStream().print("and after");
                return;
              }
              response.getOutputStream().print("before ");
              request.startAsync().dispatch();
            })) {
      String key = Shop.freshKey();
      HttpResponse<byte[]> first = shop.post(key);
      assertThat(Shop.text(first)).isEqualTo("before and after");
      Shop.assertReplayed(first, shop.post(key));
    }
  }

  private record Heard(ConcurrentLinkedQueue<String> heard) implements AsyncListener {
    @Override
    public void onComplete(AsyncEvent event) {
      heard.add("complete");
    }

    @Override
    public void onTimeout(AsyncEvent event) throws IOException {
      heard.add("timeout");
      ((HttpServletResponse) event.getSuppliedResponse()).sendError(503, "took too long");
      event.getAsyncContext().complete();
    }

    @Override
    public void onError(AsyncEvent event) {
      heard.add("error");
    }

    @Override
    public void onStartAsync(AsyncEvent event) {
      heard.add("start");
    }
  }

  /** A listener that only fails. */
  private static final class Broken implements AsyncListener {
    @Override
    public void onComplete(AsyncEvent event) {
      throw new IllegalStateException("broken listener");
    }

    @Override
    public void onTimeout(AsyncEvent event) {
      throw new IllegalStateException("broken listener");
    }

    @Override
    public void onError(AsyncEvent event) {}

    @Override
    public void onStartAsync(AsyncEvent event) {}
  }

  @Test
  void aListenerThatFailsDoesNotGiveTheKeyOfWorkThatIsDoneBack() {
    AtomicInteger runs = new AtomicInteger();
    try (Shop shop =
        Shop.of(
            (request, response) -> {
              AsyncContext async = request.startAsync();
              async.addListener(new Broken());
              print(async, "run " + runs.incrementAndGet());
              async.complete();
            })) {
      String key = Shop.freshKey();
      HttpResponse<byte[]> first = shop.post(key);
      assertThat(first.statusCode()).isEqualTo(200);
      Shop.assertReplayed(first, shop.post(key));
      assertThat(runs).hasValue(1);
    }
  }

  private static void timesOut(@Nullable AsyncListener listener, int status) {
    CountDownLatch end = new CountDownLatch(1);
    AtomicInteger runs = new AtomicInteger();
    try (Shop shop =
        Shop.of(
            (request, response) -> {
              runs.incrementAndGet();
              AsyncContext async = request.startAsync();
              async.setTimeout(100);
              if (listener != null) {
                async.addListener(listener, request, async.getResponse());
              }
              async.start(() -> await(end)); // it may still take effect
            })) {
      String key = Shop.freshKey();
      assertThat(shop.post(key).statusCode()).isEqualTo(status);
      HttpResponse<byte[]> again = shop.postOnceSettled(key);
      assertThat(again.statusCode()).isEqualTo(409);
      assertThat(Shop.text(again)).contains(HttpRefusal.IN_DOUBT.type());
      assertThat(runs).hasValue(1);
    } finally {
      end.countDown();
    }
  }

  @Test
  void whatTimesOutIsInDoubtBecauseItMayStillBeAtWork() {
    timesOut(null, 500);
  }

  @Test
  void soItIsWhenTheListenerThatIsToldOfItFails() {
    timesOut(new Broken(), 500);
  }

  @Test
  void soIsWhatAListenerAnswersInItsPlace() {
    timesOut(new Heard(new ConcurrentLinkedQueue<>()), 503);
  }

  @Test
  void aClientThatLeavesAStreamLeavesItInDoubt() throws Exception {
    CountDownLatch gone = new CountDownLatch(1);
    AtomicInteger runs = new AtomicInteger();
    try (Shop shop =
        Shop.of(
            (request, response) -> {
              runs.incrementAndGet();
              response.setContentType("text/event-stream");
              response.getOutputStream().print("data: first\n\n");
              response.flushBuffer();
              await(gone);
              long deadline = System.nanoTime() + Duration.ofSeconds(20).toNanos();
              while (System.nanoTime() - deadline < 0) { // until it learns that the client is gone
                response.getOutputStream().print("data: more\n\n");
                response.flushBuffer();
              }
            })) {
      String key = Shop.freshKey();
      RawClient client = new RawClient(shop.jetty().uri());
      client.send(
          "POST / HTTP/1.1\r\nHost: a\r\nIdempotency-Key: %s\r\nContent-Length: 0\r\n\r\n"
              .formatted(key));
      client.readUntil("first");
      client.hangUp();
      gone.countDown();
      HttpResponse<byte[]> again;
      do {
        again = shop.post(key, "/", "text/plain", new byte[0]);
      } while (Shop.text(again).contains(HttpRefusal.IN_FLIGHT.type()));
      assertThat(Shop.text(again)).contains(HttpRefusal.IN_DOUBT.type());
      assertThat(runs).hasValue(1);
    }
  }
}
