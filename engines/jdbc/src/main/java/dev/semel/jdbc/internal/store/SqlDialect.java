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
 * How one server's SQL says what is the same on every server. A text's parameters are the same
 * everywhere, in the order in which {@link ServerRecords} and {@link ServerKeys} give them; the
 * clock is the server's, and durations are sent in microseconds.
 */
public interface SqlDialect {
  /** What a claim found: its insert won, or this is there, if it could be seen at all. */
  record Found(boolean inserted, Optional<StoredRecord> existing) {}

  SqlFaults faults();

  SqlSchema schema();

  /**
   * Looks whether the database can hold every key.
   *
   * @throws StoreException when it can't
   */
  void check(StatementCache db) throws SQLException;

  /** See {@link Store#hazards}. */
  List<String> hazards(StatementCache db) throws SQLException;

  /** How long others who change the tables are waited for, and tables that are in use. */
  Duration TABLES_WITHIN = Duration.ofSeconds(60);

  /**
   * How long a change of the tables waits at a time for those who use them: whoever comes behind it
   * waits as long.
   */
  Duration TABLE_WAIT = Duration.ofSeconds(1);

  /**
   * Within a transaction: keeps others from changing the tables, or waits for them. From then on a
   * statement waits {@link #TABLE_WAIT} at most for a table.
   */
  void lockTables(StatementCache db) throws SQLException;

  /** After that transaction. */
  void unlockTables(StatementCache db) throws SQLException;

  Object value(Token token);

  Token token(ResultSet row) throws SQLException;

  Found insertOrFind(StatementCache db, ClaimRequest request) throws SQLException;

  /** Writes a record of another store unless there is one; whether it did. */
  boolean insertAdopted(StatementCache db, KeyEntry entry) throws SQLException;

  /** Only what was seen may be replaced: same token, same state. */
  String replaceAdopted();

  /** See {@link SqlEngine#adding}. */
  String adding(String table, String key);

  /** The server's clock, in milliseconds since the epoch. */
  String now();

  String find();

  /** Only what was seen may be replaced: same token, same state, and its time still over. */
  String take();

  String renew();

  String complete();

  String release();

  String state();

  /** Cuts a page where its payloads reach the limit, so that no more than that is sent. */
  String list();

  String forceRelease();

  String delete();

  String purge();

  /** How many {@link #purge} would find, up to a limit. */
  String ended();

  /** Active keys, bytes, and whether those are exact. */
  String usage();
}
