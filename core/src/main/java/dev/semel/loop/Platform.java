package dev.semel.loop;

import java.time.InstantSource;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.LockSupport;

/**
 * What concurrent code needs of a machine: clocks, pauses, threads and randomness. Applications run
 * on {@link #REAL}; a simulation implements its own, so that a run can be repeated step by step.
 */
public interface Platform {
  /** This machine. */
  Platform REAL = new Platform() {};

  /** Monotonic time. */
  default long nanos() {
    return System.nanoTime();
  }

  /** The time of day, which may be wrong: for display, never for decisions. */
  default InstantSource clock() {
    return InstantSource.system();
  }

  /** Pauses for at most this long; may end early, when the thread is unparked or spuriously. */
  default void park(Object blocker, long nanos) {
    LockSupport.parkNanos(blocker, nanos);
  }

  default void unpark(Thread thread) {
    LockSupport.unpark(thread);
  }

  /** Starts a daemon thread that lives as long as the process. */
  default Thread start(String name, Runnable task) {
    return Thread.ofPlatform().daemon().name(name).start(task);
  }

  /** Starts a short task that may block, on its own virtual thread. */
  default void beside(String name, Runnable task) {
    Thread.ofVirtual().name(name).start(task);
  }

  default void join(Thread thread) throws InterruptedException {
    thread.join();
  }

  /** Takes a lock that is held during a call of the store; other locks need no platform. */
  default void lock(Lock lock) {
    lock.lock();
  }

  default boolean tryLock(Lock lock, long nanos) throws InterruptedException {
    return lock.tryLock(nanos, TimeUnit.NANOSECONDS);
  }

  /** A random number from 0 to {@code bound}, exclusive. */
  default long random(long bound) {
    return ThreadLocalRandom.current().nextLong(bound);
  }
}
