package dev.semel.micrometer;

import dev.semel.idempotency.KeyChoice;
import dev.semel.idempotency.KeyStrategy;
import java.time.Duration;
import java.util.function.Consumer;

/** Times a key strategy; keys that could not be made are not reported. */
record TimedStrategy<R>(KeyStrategy<R> inner, Consumer<Duration> took) implements KeyStrategy<R> {
  @Override
  public KeyChoice keying(R request) {
    long started = System.nanoTime();
    KeyChoice keying = inner.keying(request);
    took.accept(Duration.ofNanos(System.nanoTime() - started));
    return keying;
  }

  @Override
  public void validate(String id) {
    inner.validate(id);
  }

  @Override
  public boolean repeatable() {
    return inner.repeatable();
  }
}
