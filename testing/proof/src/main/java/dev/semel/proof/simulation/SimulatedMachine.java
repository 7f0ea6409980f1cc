package dev.semel.proof.simulation;

import dev.semel.loop.Platform;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.locks.Lock;

/**
 * One process of a simulated world, on a separate machine whose clocks are wrong by some offset.
 */
final class SimulatedMachine implements Platform {
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
  private static final long LOOK_EVERY = Duration.ofMillis(5).toNanos();

  private final SimulatedWorld world;
  private final String name;
  private final long nanosOffset;
  private final Duration clockOffset;
  private long frozenUntil;
  private boolean dead;

  SimulatedMachine(SimulatedWorld world, String name, long nanosOffset, Duration clockOffset) {
    this.world = world;
    this.name = name;
    this.nanosOffset = nanosOffset;
    this.clockOffset = clockOffset;
  }

  String name() {
    return name;
  }

  /** Like {@code kill -STOP}: none of its threads runs for that long. */
  void freeze(long nanos) {
    frozenUntil = Math.max(frozenUntil, world.now() + nanos);
  }

  long frozenUntil() {
    return frozenUntil;
  }

  /** Like {@code kill -9}: none of its threads runs any more. */
  void kill() {
    dead = true;
  }

  boolean dead() {
    return dead;
  }

  @Override
  public long nanos() {
    return world.now() + nanosOffset;
  }

  @Override
  public InstantSource clock() {
    return () -> START.plusNanos(world.now()).plus(clockOffset);
  }

  @Override
  public void park(Object blocker, long nanos) {
    world.park(nanos);
  }

  @Override
  public void unpark(Thread thread) {
    world.unpark(thread);
  }

  @Override
  public Thread start(String task, Runnable body) {
    return world.start(this, name + " " + task, body);
  }

  @Override
  public void beside(String task, Runnable body) {
    start(task, body);
  }

  @Override
  public void join(Thread thread) {
    world.join(thread, LOOK_EVERY);
  }

  @Override
  public void lock(Lock lock) {
    while (!lock.tryLock()) {
      world.sleep(LOOK_EVERY);
    }
  }

  @Override
  public boolean tryLock(Lock lock, long nanos) {
    long deadline = world.now() + nanos;
    while (!lock.tryLock()) {
      if (world.now() >= deadline) {
        return false;
      }
      world.sleep(Math.min(LOOK_EVERY, deadline - world.now()));
    }
    return true;
  }

  @Override
  public long random(long bound) {
    return world.random().nextLong(bound);
  }
}
