package dev.semel.job;

import dev.semel.loop.Platform;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;

/** A time that passes when the test says so, and machines that go by it, each with its own skew. */
final class CronClock implements InstantSource {
  private final AtomicReference<Instant> now;

  CronClock(Instant start) {
    this.now = new AtomicReference<>(start);
  }

  @Override
  public Instant instant() {
    return now.get();
  }

  void set(Instant time) {
    now.set(time);
  }

  void pass(Duration time) {
    now.updateAndGet(t -> t.plus(time));
  }

  /** Its loops don't run: the test takes their turns. What runs beside runs for real. */
  Platform platform(Duration ahead) {
    return new Platform() {
      @Override
      public long nanos() {
        return Duration.between(Instant.EPOCH, instant()).toNanos();
      }

      @Override
      public InstantSource clock() {
        return InstantSource.offset(CronClock.this, ahead);
      }

      @Override
      public Thread start(String name, Runnable task) {
        return Thread.currentThread();
      }

      @Override
      public void unpark(Thread thread) {}

      @Override
      public void join(Thread thread) {}

      @Override
      public void park(Object blocker, long nanos) {
        LockSupport.parkNanos(blocker, Duration.ofMillis(1).toNanos());
      }
    };
  }
}
