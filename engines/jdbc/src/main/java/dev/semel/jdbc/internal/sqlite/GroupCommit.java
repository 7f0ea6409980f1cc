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
 * Lets many callers share one commit: a single thread takes what is waiting, runs it in one
 * transaction, and answers each caller after the commit. It never waits for a batch to fill up.
 *
 * <p>A step that fails is rolled back with its batch, and each step of the batch then runs in a
 * transaction of its own, so that it fails alone. A caller that leaves takes nothing with it: the
 * thread never waits for a caller.
 */
public final class GroupCommit implements AutoCloseable {
  private static final String LOOP = "semel-sqlite-writer";
  private static final String UNKNOWN = "whether it was written is unknown, ask again to find out";

  /** More callers than this wait for room before they wait for an answer. */
  static final int MAX_QUEUED = 4096;

  /** Bounds how long one commit, and so one answer, can take. */
  static final int MAX_BATCH = 512;

  /** How long a caller waits, for room and then for an answer. Longer than any wait for a lock. */
  static final Duration GIVE_UP_AFTER = SqliteFile.BUSY_TIMEOUT.multipliedBy(4);

  /** Only a backstop: whoever puts something into the queue wakes the thread. */
  private static final Duration IDLE = Duration.ofSeconds(1);

  /** Reads and writes within a transaction; may run more than once, so it has no other effects. */
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
   * Returns once the step's writes are on the disk.
   *
   * @throws StoreException when they are not, or when that is unknown; the message says which
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
      // Someone lost patience with close(); this thread is the loop's or theirs.
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

  /** False: one of several steps failed, nothing was written, and nobody has been answered. */
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

  /** One exception per caller, because each is thrown on a thread of its own. */
  private RuntimeException failure(Throwable cause) {
    return switch (cause) {
      case StoreException e -> new StoreException(String.valueOf(e.getMessage()), e);
      case SQLException e -> file.fault("nothing was written", e);
      default -> new IllegalStateException("a step failed, nothing was written", cause);
    };
  }

  /** Answers those who wait, then ends. */
  @Override
  public void close() {
    closed = true;
    loop.close();
    while (runOnce()) {
      // What was queued before, and while, this was closed.
    }
    try {
      file.takeTurn();
      try {
        writer.close();
      } finally {
        file.giveTurn();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // the connection ends with the process
    }
  }
}
