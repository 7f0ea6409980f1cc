package dev.semel.stream.client;

import java.net.http.HttpRequest;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** By which another thread ends whatever a reader waits for. */
final class Lifeline {
  private final StreamCalls calls;
  private final CountDownLatch cut = new CountDownLatch(1);
  private volatile Optional<Exchange> current = Optional.empty();

  Lifeline(StreamCalls calls) {
    this.calls = calls;
  }

  StreamCalls calls() {
    return calls;
  }

  Exchange begin(HttpRequest.Builder request) {
    Exchange exchange = Exchange.begin(calls, request);
    current = Optional.of(exchange);
    // Looked at behind that: who cut it before saw the exchange, or is seen here.
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

  /** Ends what is under way, and nothing else. */
  void drop() {
    current.ifPresent(Exchange::abort);
    current = Optional.empty();
  }

  /** Ends what is under way, and all that would come. */
  void cut() {
    cut.countDown();
    current.ifPresent(Exchange::abort);
  }
}
