package dev.semel.jdbc.internal.sqlite;

import dev.semel.StoreException;
import dev.semel.jdbc.internal.store.StatementCache;
import dev.semel.loop.internal.Loop;
import dev.semel.loop.internal.LoopFailures;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * Lets many callers share one commit: a single thread runs all waiting steps in one transaction,
 * and answers each caller after the commit. It never waits for a batch to fill.
 *
 * <p>When a step fails, its batch is rolled back, and each step then runs in a separate transaction
 * so that only the bad one fails. The thread never waits for a caller, so a caller that leaves
 * disturbs nobody.
 */
public final class GroupCommit implements AutoCloseable {
  private static final String LOOP = "semel-sqlite-writer";
  private static final String UNKNOWN = "whether it was written is unknown, ask again to find out";

  /** The most queued callers; others wait for a free place first. */
  static final int MAX_QUEUED = 4096;

  /** The most steps in one commit, which bounds how long one answer can take. */
  static final int MAX_BATCH = 512;

  /** How long a caller waits for a place and for its answer. Longer than any lock wait. */
  static final Duration GIVE_UP_AFTER = SqliteFile.BUSY_TIMEOUT.multipliedBy(4);

  /** Only a backstop: every call that enters the queue wakes the thread. */
  private static final Duration IDLE = Duration.ofSeconds(1);

  /**
   * A step reads and writes in a transaction. It may run more than once, so it must have no other
   * effects.
   */
  @FunctionalInterface
  public interface Step<R> {
    R run(StatementCache db) throws SQLException;
  }

  private final SqliteFile file;
  private final SqliteWriter writer;
  private final ArrayBlockingQueue<GroupedCall<?>> queue = new ArrayBlockingQueue<>(MAX_QUEUED);
  private final Loop loop;
  private volatile boolean closed;

  private GroupCommit(SqliteFile file) {
    this.file = file;
    this.writer = new SqliteWriter(file, false);
    this.loop = Loop.start(LOOP, this::runOnce, IDLE);
  }

  public static GroupCommit start(SqliteFile file) {
    return new GroupCommit(file);
  }

  /**
   * Runs the step, and returns once its writes are on disk.
   *
   * @throws StoreException when they are not, or that is in doubt; the message says which
   */
  public <R> R run(Step<R> step) {
    file.requireNoTurn();
    GroupedCall<R> call = new GroupedCall<>(step);
    long deadline = System.nanoTime() + GIVE_UP_AFTER.toNanos();
    enqueue(call);
    loop.wake();
    if (closed && call.cancel()) {
      throw closed();
    }
    return call.await(deadline);
  }

  private void enqueue(GroupedCall<?> call) {
    if (closed) {
      throw closed();
    }
    try {
      if (!queue.offer(call, GIVE_UP_AFTER.toNanos(), TimeUnit.NANOSECONDS)) {
        throw new StoreException(
            "nothing was written: %d callers are waiting for the disk already: ask for less at once"
                .formatted(MAX_QUEUED));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new StoreException("nothing was written: the caller was interrupted", e);
    }
  }

  private static StoreException closed() {
    return new StoreException("nothing was written: the store is closed");
  }

  private boolean runOnce() {
    List<GroupedCall<?>> batch = new ArrayList<>();
    queue.drainTo(batch, MAX_BATCH);
    batch.removeIf(call -> !call.take());
    if (batch.isEmpty()) {
      return !queue.isEmpty();
    }
    try {
      file.takeTurn();
    } catch (StoreException e) {
      failAll(batch, e);
      return true;
    } catch (InterruptedException e) {
      // A caller of close() was interrupted; this thread is either the loop's or the caller's.
      Thread.currentThread().interrupt();
      failAll(batch, closed());
      return false;
    }
    try {
      if (!commit(batch)) {
        batch.forEach(call -> commit(List.of(call)));
      }
    } finally {
      file.giveTurn();
    }
    return true;
  }

  /**
   * Commits the batch.
   *
   * @return false when a step failed: nothing was written or answered yet
   */
  private boolean commit(List<GroupedCall<?>> batch) {
    try {
      StatementCache db = writer.begin();
      for (GroupedCall<?> call : batch) {
        call.run(db);
      }
    } catch (SQLException | RuntimeException | Error e) {
      writer.disconnect();
      if (batch.size() > 1 && !(e instanceof SQLException s && SqliteFault.isBusy(s))) {
        return false;
      }
      failAll(batch, e);
      return true;
    }
    try {
      writer.commit();
    } catch (SQLException e) {
      failAll(batch, SqliteFault.refusedCommit(e) ? e : file.fault(UNKNOWN, e));
      return true;
    } catch (RuntimeException e) { // the driver's bug; the callers after these go on
      LoopFailures.report(LOOP, e);
      failAll(batch, new StoreException(UNKNOWN, e));
      return true;
    }
    batch.forEach(GroupedCall::answer);
    return true;
  }

  private void failAll(List<GroupedCall<?>> batch, Throwable cause) {
    batch.forEach(call -> call.fail(failure(cause)));
  }

  /** One exception per caller, because each is thrown on another thread. */
  private RuntimeException failure(Throwable cause) {
    return switch (cause) {
      case StoreException e -> new StoreException(String.valueOf(e.getMessage()), e);
      case SQLException e -> file.fault("nothing was written", e);
      default -> new IllegalStateException("a step failed, nothing was written", cause);
    };
  }

  /** Answers waiting callers, then closes. */
  @Override
  public void close() {
    closed = true;
    loop.close();
    while (runOnce()) {
      // Runs steps that were queued before or during the close.
    }
    try {
      file.takeTurn();
      try {
        writer.close();
      } finally {
        file.giveTurn();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // the process's end closes the connection
    }
  }
}
