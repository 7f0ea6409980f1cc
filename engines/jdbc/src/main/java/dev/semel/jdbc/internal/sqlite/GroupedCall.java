package dev.semel.jdbc.internal.sqlite;

import dev.semel.StoreException;
import dev.semel.jdbc.internal.store.StatementCache;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** One caller's step in {@link GroupCommit}, and later its answer. */
final class GroupedCall<R> {
  private static final int WAITING = 0;
  private static final int TAKEN = 1;
  private static final int ANSWERED = 2;
  private static final int CANCELLED = 3;

  private final GroupCommit.Step<R> step;
  private final Thread caller = Thread.currentThread();
  private final AtomicInteger stage = new AtomicInteger(WAITING);

  /** The committing thread writes it before the last stage, and the caller reads it after. */
  private @Nullable R result;

  private @Nullable RuntimeException failure;

  GroupedCall(GroupCommit.Step<R> step) {
    this.step = step;
  }

  /**
   * Starts the call.
   *
   * @return false when the caller has left
   */
  boolean take() {
    return stage.compareAndSet(WAITING, TAKEN);
  }

  /**
   * Cancels the call.
   *
   * @return false when it is already running
   */
  boolean cancel() {
    return stage.compareAndSet(WAITING, CANCELLED);
  }

  void run(StatementCache db) throws SQLException {
    result = step.run(db);
  }

  void answer() {
    stage.set(ANSWERED);
    LockSupport.unpark(caller);
  }

  void fail(RuntimeException cause) {
    failure = cause;
    answer();
  }

  R await(long deadlineNanos) {
    while (stage.get() != ANSWERED) {
      long left = deadlineNanos - System.nanoTime();
      if (left <= 0 || Thread.currentThread().isInterrupted()) {
        String why = left <= 0 ? "the disk did not answer in time" : "the caller was interrupted";
        throw new StoreException(
            cancel()
                ? why + ", nothing was written"
                : why + ", whether it was written is unknown: ask again to find out");
      }
      LockSupport.parkNanos(this, left);
    }
    if (failure != null) {
      throw failure;
    }
    if (result == null) {
      throw new IllegalStateException("a step gave no result");
    }
    return result;
  }
}
