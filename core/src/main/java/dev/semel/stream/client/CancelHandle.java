package dev.semel.stream.client;

import dev.semel.stream.client.internal.StreamCalls;
import java.net.http.HttpRequest;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Lets another thread end whatever a reader waits for. */
final class CancelHandle {
  private final StreamCalls calls;
  private final CountDownLatch cut = new CountDownLatch(1);
  private volatile Optional<PendingExchange> current = Optional.empty();

  CancelHandle(StreamCalls calls) {
    this.calls = calls;
  }

  StreamCalls calls() {
    return calls;
  }

  PendingExchange begin(HttpRequest.Builder request) {
    PendingExchange exchange = PendingExchange.begin(calls, request);
    current = Optional.of(exchange);
    // Check after publishing the exchange: a concurrent cut sees the exchange, or is seen here.
    if (isCut()) {
      exchange.abort();
    }
    check();
    return exchange;
  }

  void pause(long nanos) throws InterruptedException {
    boolean unused = cut.await(nanos, TimeUnit.NANOSECONDS);
    check();
  }

  boolean isCut() {
    return cut.getCount() == 0;
  }

  void check() {
    if (isCut()) {
      throw new CancellationException("the reader was closed");
    }
  }

  /** Ends the running request, and nothing else. */
  void drop() {
    current.ifPresent(PendingExchange::abort);
    current = Optional.empty();
  }

  /** Ends the running request and prevents later ones. */
  void cut() {
    cut.countDown();
    current.ifPresent(PendingExchange::abort);
  }
}
