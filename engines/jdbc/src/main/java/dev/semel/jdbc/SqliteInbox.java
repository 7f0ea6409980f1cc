package dev.semel.jdbc;

import dev.semel.StoreException;
import dev.semel.jdbc.internal.inbox.InboxEngine;
import dev.semel.jdbc.internal.inbox.InboxIds;
import dev.semel.jdbc.internal.sqlite.GroupCommit;
import dev.semel.jdbc.internal.sqlite.SqliteFault;
import dev.semel.jdbc.internal.sqlite.SqliteFile;
import dev.semel.jdbc.internal.sqlite.SqliteReaders;
import dev.semel.jdbc.internal.sqlite.SqliteWriter;
import dev.semel.jdbc.internal.store.SqlFaults;
import dev.semel.jdbc.internal.store.SqlPositions;
import java.sql.SQLException;

/** The inbox in a SQLite file. Handlers take turns with all other writers. */
final class SqliteInbox implements InboxEngine {
  private static final InboxIds IDS =
      new InboxIds.Lists("0", " ON CONFLICT (consumer, id) DO NOTHING");

  private static final String BYTES =
      """
      SELECT coalesce(sum(pgsize), 0) FROM dbstat
      WHERE name LIKE 'semel\\_inbox%' ESCAPE '\\'
        OR name LIKE 'sqlite\\_autoindex\\_semel\\_inbox%' ESCAPE '\\'""";

  private static final String KEY =
      "SELECT count(*) FROM pragma_table_info('semel_inbox') WHERE pk > 0";

  private final SqliteStore store;
  private final SqliteFile file;
  private final SqliteReaders readers;

  /** Used only by the thread that has the turn. */
  private final SqliteWriter writer;

  private final SqlPositions positions;

  SqliteInbox(SqliteStore store) {
    this.store = store;
    this.file = store.file();
    this.readers = new SqliteReaders(file);
    this.writer = new SqliteWriter(file, true);
    this.positions = new SqlPositions(this);
  }

  @Override
  public <R> R transact(String what, GroupCommit.Step<R> step) {
    file.awaitTurn();
    boolean done = false;
    try {
      R result = step.run(writer.begin());
      writer.commit();
      done = true;
      return result;
    } catch (SQLException e) {
      throw file.fault(what, e);
    } finally {
      if (!done) {
        writer.disconnect(); // the driver closes statements that failed
      }
      file.giveTurn();
    }
  }

  @Override
  public <R> R read(String what, GroupCommit.Step<R> step) {
    return readers.read(step);
  }

  @Override
  public SqlFaults faults() {
    return new SqliteFaults(file);
  }

  /** Conflicts can't happen: one transaction writes at a time. */
  private record SqliteFaults(SqliteFile file) implements SqlFaults {
    @Override
    public boolean isConflict(Throwable failure) {
      return false;
    }

    @Override
    public boolean refusedCommit(SQLException e) {
      return SqliteFault.refusedCommit(e);
    }

    @Override
    public StoreException of(String what, SQLException e) {
      return file.fault(what, e);
    }
  }

  @Override
  public InboxIds ids() {
    return IDS;
  }

  @Override
  public SqlPositions positions() {
    return positions;
  }

  @Override
  public String clock() {
    return "0";
  }

  @Override
  public long offset() {
    return store.clock().millis();
  }

  /** No clause is needed: SQLite has no concurrent writers. */
  @Override
  public String skipLocked() {
    return "";
  }

  @Override
  public String locking() {
    return "";
  }

  @Override
  public String orLeave(String table) {
    return " ON CONFLICT DO NOTHING";
  }

  @Override
  public String bytes() {
    return BYTES;
  }

  @Override
  public String keyColumns() {
    return KEY;
  }

  @Override
  public boolean savepointIsGone(SQLException e) {
    return String.valueOf(e.getMessage()).contains("no such savepoint");
  }

  @Override
  public void close() {
    readers.close();
    file.awaitTurn();
    try {
      writer.close();
    } finally {
      file.giveTurn();
    }
  }
}
