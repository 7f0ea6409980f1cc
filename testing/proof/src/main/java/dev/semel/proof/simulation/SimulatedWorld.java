package dev.semel.proof.simulation;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Tasks of which exactly one runs at any time. When it rests, a random ready task runs next; when
 * none is ready, time jumps to the next one that will be. So the seed decides everything, and
 * nothing here needs a lock: the running task hands over to the next.
 */
final class SimulatedWorld {
  /** The time of a task that waits for ever. */
  private static final long NEVER = Long.MAX_VALUE;

  /**
   * A limit in real time: no run takes this long, unless a task waits for something outside the
   * world.
   */
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final Random random;
  private final List<Task> tasks = new ArrayList<>();
  private final CountDownLatch over = new CountDownLatch(1);
  private long now;
  private long steps;
  private @Nullable Task current;
  private @Nullable Throwable failure;

  SimulatedWorld(long seed) {
    this.random = new Random(seed);
  }

  /** Ends a task of a killed process; nothing may catch it. */
  static final class Death extends Error {
    private static final long serialVersionUID = 1L;

    Death() {
      super("the process was killed", null, false, false);
    }
  }

  final class Task {
    private final SimulatedMachine platform;
    private final Thread thread;
    private long wakeAt;
    private boolean permit;
    private volatile boolean turn;

    Task(SimulatedMachine platform, String name, Runnable body) {
      this.platform = platform;
      this.thread = Thread.ofVirtual().name(name).unstarted(() -> live(body));
    }

    private void live(Runnable body) {
      awaitTurn();
      try {
        if (!platform.dead()) {
          body.run();
        }
      } catch (Death e) {
        // Like the end of a killed process.
      } catch (Throwable e) {
        failure = failure == null ? e : failure;
        killAll();
      }
      tasks.remove(this);
      Task next = pick();
      if (next == null) {
        over.countDown();
      } else {
        next.run();
      }
    }

    private void run() {
      current = this;
      turn = true;
      LockSupport.unpark(thread);
    }

    private void awaitTurn() {
      while (!turn) {
        LockSupport.park(this);
      }
      turn = false;
    }

    private long readyAt() {
      if (platform.dead()) {
        return now; // in order to end
      }
      return Math.max(permit ? now : wakeAt, platform.frozenUntil());
    }
  }

  /** Runs the first task, and everything that it starts, to the end. */
  void run(SimulatedMachine platform, Runnable first) {
    start(platform, "first", first);
    tasks.getFirst().run();
    try {
      if (!over.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
        throw blocked();
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException("interrupted within a simulation", e);
    }
    if (failure instanceof Error e) {
      throw e;
    }
    if (failure != null) {
      throw new IllegalStateException(failure);
    }
  }

  /** The error when a task holds a lock across a call of the store, which blocks all tasks. */
  private IllegalStateException blocked() {
    Task running = current;
    IllegalStateException e =
        new IllegalStateException(
            running == null ? "nobody runs" : running.thread.getName() + " does not hand over");
    if (running != null) {
      e.setStackTrace(running.thread.getStackTrace());
    }
    return e;
  }

  /** Starts a task, which is ready at once. */
  Thread start(SimulatedMachine platform, String name, Runnable body) {
    Task task = new Task(platform, name, body);
    task.wakeAt = now;
    tasks.add(task);
    task.thread.start();
    return task.thread;
  }

  long now() {
    return now;
  }

  /** The number of task switches: equal runs have equal numbers. */
  long steps() {
    return steps;
  }

  Random random() {
    return random;
  }

  /** Rests for at most this long, or until another task unparks the thread. */
  void park(long nanos) {
    Task me = me();
    if (!me.permit) {
      rest(me, nanos);
    }
    me.permit = false;
  }

  void unpark(Thread thread) {
    tasks.stream().filter(task -> task.thread.equals(thread)).forEach(task -> task.permit = true);
  }

  /** Rests for exactly this long. */
  void sleep(long nanos) {
    Task me = me();
    boolean permit = me.permit;
    me.permit = false;
    long until = now + nanos;
    rest(me, nanos);
    while (now < until) {
      permit |= me.permit;
      me.permit = false;
      rest(me, until - now);
    }
    me.permit |= permit;
  }

  void join(Thread thread, long lookEvery) {
    while (tasks.stream().anyMatch(task -> task.thread.equals(thread))) {
      sleep(lookEvery);
    }
  }

  private Task me() {
    Task me = current;
    if (me == null || !me.thread.equals(Thread.currentThread())) {
      throw new IllegalStateException("this thread is not part of the simulation");
    }
    return me;
  }

  private void rest(Task me, long nanos) {
    me.wakeAt = now + Math.max(0, nanos);
    Task next = pick();
    if (next == null) {
      throw new IllegalStateException("nobody will ever be ready");
    }
    if (next != me) {
      next.run();
      me.awaitTurn();
    }
    if (me.platform.dead()) {
      throw new Death();
    }
  }

  private @Nullable Task pick() {
    steps++;
    long first = NEVER;
    int ready = 0;
    for (Task task : tasks) {
      long at = task.readyAt();
      if (at <= now) {
        ready++;
      }
      first = Math.min(first, at);
    }
    if (tasks.isEmpty()) {
      return null;
    }
    if (ready == 0) {
      now = first;
      return pick();
    }
    int chosen = random.nextInt(ready);
    for (Task task : tasks) {
      if (task.readyAt() <= now && chosen-- == 0) {
        return task;
      }
    }
    throw new IllegalStateException("one was ready");
  }

  private void killAll() {
    tasks.forEach(task -> task.platform.kill());
  }
}
