package dev.semel.jdbc;

import dev.semel.Key;
import dev.semel.Token;
import dev.semel.idempotency.Entry;
import dev.semel.idempotency.KeyCatalog.Page;
import dev.semel.idempotency.KeyCatalog.Usage;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** What operators ask of the database, as SQL. */
final class PostgresKeys {
  /** The innermost takes one page by key, the next adds up the payloads, the outer cuts there. */
  private static final String LIST =
      "SELECT "
          + PostgresRecords.COLUMNS
          + """
          , t.key FROM (
            SELECT p.*, sum(octet_length(p.payload)) OVER (ORDER BY p.key)
              - octet_length(p.payload) AS bytes_before
            FROM (
              SELECT * FROM semel_idempotency
              WHERE key >= ? AND key > ? AND key < ? AND expires_at > clock_timestamp()
              ORDER BY key LIMIT ?) p) t,
          """
          + PostgresRecords.NOW
          + " WHERE t.bytes_before < ? ORDER BY t.key";

  private static final String FORCE_RELEASE =
      """
      UPDATE semel_idempotency t SET state = 'R', token = ?, fingerprint = '',
        lease_until = c.now, expires_at = c.now + t.retention, ended_at = NULL,
        payload_type = '', payload = ''
      FROM\s"""
          + PostgresRecords.NOW
          + " WHERE t.key = ? AND t.expires_at > c.now";

  private static final String DELETE =
      "DELETE FROM semel_idempotency WHERE key = ? AND expires_at > clock_timestamp()";

  /**
   * The statement's time, because an index can't be searched for one that moves. Rows that someone
   * is about to take are left to them.
   */
  private static final String PURGE =
      """
      DELETE FROM semel_idempotency WHERE ctid = ANY (ARRAY(
        SELECT ctid FROM semel_idempotency WHERE expires_at <= statement_timestamp()
        LIMIT ? FOR UPDATE SKIP LOCKED))""";

  private static final String USAGE =
      """
      SELECT count(*), pg_total_relation_size('semel_idempotency')
      FROM semel_idempotency WHERE expires_at > statement_timestamp()""";

  private PostgresKeys() {}

  static Page list(Statements db, String prefix, String cursor, int limit) throws SQLException {
    List<Entry> entries = new ArrayList<>();
    long bytes = 0;
    try (ResultSet rs =
        db.query(LIST, prefix, cursor, KeyRange.end(prefix), limit + 1, Rows.MAX_PAGE_BYTES)) {
      while (rs.next()) {
        if (entries.size() == limit) {
          return new Page(entries, entries.getLast().key().text());
        }
        Entry entry = new Entry(Key.parse(rs.getString(Rows.KEY)), PostgresRecords.existing(rs));
        bytes += entry.existing().payload().bytes().length;
        entries.add(entry);
      }
    }
    boolean cut = bytes >= Rows.MAX_PAGE_BYTES;
    return new Page(entries, cut ? entries.getLast().key().text() : "");
  }

  static boolean forceRelease(Statements db, Key key) throws SQLException {
    return db.update(FORCE_RELEASE, Token.draw().value(), key.text()) == 1;
  }

  static boolean delete(Statements db, Key key) throws SQLException {
    return db.update(DELETE, key.text()) == 1;
  }

  static int purge(Statements db, int limit) throws SQLException {
    return db.update(PURGE, limit);
  }

  static Usage usage(Statements db) throws SQLException {
    return db.first(USAGE, rs -> new Usage(rs.getLong(1), rs.getLong(2), true)).orElseThrow();
  }
}
