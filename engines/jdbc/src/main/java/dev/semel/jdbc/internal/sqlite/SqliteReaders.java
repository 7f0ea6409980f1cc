package dev.semel.jdbc.internal.sqlite;

import dev.semel.StoreException;
import dev.semel.jdbc.internal.store.StatementCache;
import java.sql.SQLException;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A few read-only connections. They see committed data and never wait for a writer. */
public final class SqliteReaders implements AutoCloseable {
  /** The most connections; further readers wait, because each costs memory and open files. */
  static final int MAX_CONNECTIONS = 4;

  private final SqliteFile file;
  private final Semaphore free = new Semaphore(MAX_CONNECTIONS);
  private final ConcurrentLinkedDeque<StatementCache> idle = new ConcurrentLinkedDeque<>();
  private volatile boolean closed;

  public SqliteReaders(SqliteFile file) {
    this.file = file;
  }

  public <R> R read(GroupCommit.Step<R> step) {
    try {
      if (!free.tryAcquire(SqliteFile.BUSY_TIMEOUT.toNanos(), TimeUnit.NANOSECONDS)) {
        throw new StoreException(
            "%d readers are at it and none ended within %d s: ask for less at once"
                .formatted(MAX_CONNECTIONS, SqliteFile.BUSY_TIMEOUT.toSeconds()));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new StoreException("nothing was read: the caller was interrupted", e);
    }
    try {
      return readNow(step);
    } finally {
      free.release();
    }
  }

  private <R> R readNow(GroupCommit.Step<R> step) {
    if (closed) {
      throw new StoreException("nothing was read: the store is closed");
    }
    @Nullable StatementCache db = idle.poll();
    boolean usable = false;
    try {
      if (db == null) {
        db = new StatementCache(file.connect(false));
      }
      R result = step.run(db);
      usable = true;
      return result;
    } catch (SQLException e) {
      throw file.fault("it can't be read", e);
    } finally {
      giveBack(db, usable);
    }
  }

  private void giveBack(@Nullable StatementCache db, boolean usable) {
    if (db == null) {
      return;
    }
    if (usable) {
      idle.push(db);
    } else {
      db.close();
    }
    if (closed) {
      close();
    }
  }

  @Override
  public void close() {
    closed = true;
    StatementCache db = idle.poll();
    while (db != null) {
      db.close();
      db = idle.poll();
    }
  }
}
