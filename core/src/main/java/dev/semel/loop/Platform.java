package dev.semel.loop;

import java.time.InstantSource;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.LockSupport;

/**
 * What code that runs beside other code needs of a machine: clocks, rest, threads and chance.
 * Applications run on {@link #REAL}; a simulation brings its own, so that a run can be repeated
 * step by step.
 */
public interface Platform {
  /** The one we run on. */
  Platform REAL = new Platform() {};

  /** Monotonic time. */
  default long nanos() {
    return System.nanoTime();
  }

  /** The time of day, which may be wrong: for display, never for decisions. */
  default InstantSource clock() {
    return InstantSource.system();
  }

  /** Rests for at most that long; may end early, when someone unparks the thread or for nothing. */
  default void park(Object blocker, long nanos) {
    LockSupport.parkNanos(blocker, nanos);
  }

  default void unpark(Thread thread) {
    LockSupport.unpark(thread);
  }

  /** Starts a daemon that lives as long as the process. */
  default Thread start(String name, Runnable task) {
    return Thread.ofPlatform().daemon().name(name).start(task);
  }

  /** Starts something short that may block without holding anyone up. */
  default void beside(String name, Runnable task) {
    Thread.ofVirtual().name(name).start(task);
  }

  default void join(Thread thread) throws InterruptedException {
    thread.join();
  }

  /** For a lock that is held while the store is asked; others need no machine. */
  default void lock(Lock lock) {
    lock.lock();
  }

  default boolean tryLock(Lock lock, long nanos) throws InterruptedException {
    return lock.tryLock(nanos, TimeUnit.NANOSECONDS);
  }

  /** At random, from 0 up to but without {@code bound}. */
  default long random(long bound) {
    return ThreadLocalRandom.current().nextLong(bound);
  }
}
