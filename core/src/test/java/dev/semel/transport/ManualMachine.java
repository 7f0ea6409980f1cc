package dev.semel.transport;

import dev.semel.loop.Platform;
import java.time.Duration;

/** Time passes when the test says so, and nothing runs beside it. */
public final class ManualMachine implements Platform {
  private long now = 1_000;

  public void pass(Duration time) {
    now += time.toNanos();
  }

  @Override
  public long nanos() {
    return now;
  }

  @Override
  public Thread start(String name, Runnable task) {
    return Thread.currentThread();
  }

  @Override
  public void unpark(Thread thread) {}

  @Override
  public void join(Thread thread) {}
}
