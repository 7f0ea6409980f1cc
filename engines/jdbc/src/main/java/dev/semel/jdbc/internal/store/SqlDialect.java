package dev.semel.jdbc.internal.store;

import dev.semel.StoreException;
import dev.semel.Token;
import dev.semel.idempotency.spi.ClaimRequest;
import dev.semel.idempotency.spi.KeyEntry;
import dev.semel.idempotency.spi.Store;
import dev.semel.idempotency.spi.StoredRecord;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The SQL that differs between servers. A statement's parameters are the same everywhere, in the
 * order of {@link ServerRecords} and {@link ServerKeys}; the server's clock decides, and durations
 * are in microseconds.
 */
public interface SqlDialect {
  /**
   * A claim's result: its insert won, or this record exists, unless the statement could not see it.
   */
  record Found(boolean inserted, Optional<StoredRecord> existing) {}

  SqlFaults faults();

  SqlSchema schema();

  /**
   * Checks that the database can store every key.
   *
   * @throws StoreException when it can't
   */
  void check(StatementCache db) throws SQLException;

  /** See {@link Store#hazards}. */
  List<String> hazards(StatementCache db) throws SQLException;

  /** How long to wait for another process that changes the tables, and for tables in use. */
  Duration TABLES_WITHIN = Duration.ofSeconds(60);

  /** How long one schema change waits for users of the tables: later statements wait as long. */
  Duration TABLE_WAIT = Duration.ofSeconds(1);

  /**
   * Locks the schema for this transaction, or waits for the process that has the lock. Afterwards a
   * statement waits at most {@link #TABLE_WAIT} for a table.
   */
  void lockTables(StatementCache db) throws SQLException;

  /** Releases the lock after that transaction. */
  void unlockTables(StatementCache db) throws SQLException;

  Object value(Token token);

  Token token(ResultSet row) throws SQLException;

  Found insertOrFind(StatementCache db, ClaimRequest request) throws SQLException;

  /**
   * Imports a record of another store unless one exists.
   *
   * @return whether it was written
   */
  boolean insertAdopted(StatementCache db, KeyEntry entry) throws SQLException;

  /** Replaces a record only if its token and state are unchanged. */
  String replaceAdopted();

  /** See {@link SqlEngine#adding}. */
  String adding(String table, String key);

  /** The server's clock, in milliseconds since the epoch. */
  String now();

  String find();

  /** Takes a record only if its token and state are unchanged and its time is still over. */
  String take();

  String renew();

  String complete();

  String release();

  String state();

  /** Lists keys, and ends a page where its payloads reach the limit, so that no more is sent. */
  String list();

  String forceRelease();

  String delete();

  String purge();

  /** Counts what {@link #purge} would find, up to a limit. */
  String ended();

  /** Counts active keys and bytes, and says whether those are exact. */
  String usage();
}
