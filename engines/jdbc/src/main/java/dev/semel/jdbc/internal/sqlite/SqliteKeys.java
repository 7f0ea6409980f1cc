package dev.semel.jdbc.internal.sqlite;

import dev.semel.Key;
import dev.semel.Token;
import dev.semel.idempotency.spi.KeyCatalog.Page;
import dev.semel.idempotency.spi.KeyCatalog.Usage;
import dev.semel.idempotency.spi.KeyEntry;
import dev.semel.idempotency.spi.RecordImport;
import dev.semel.idempotency.spi.StoredRecord;
import dev.semel.jdbc.internal.store.KeyRange;
import dev.semel.jdbc.internal.store.RecordRows;
import dev.semel.jdbc.internal.store.StatementCache;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** The operators' queries on the file, in SQL. */
public final class SqliteKeys {
  private static final String LIST =
      "SELECT "
          + SqliteRecords.COLUMNS
          + ", key FROM semel_idempotency"
          + " WHERE key >= ? AND key > ? AND key < ? AND expires_at > ? ORDER BY key LIMIT ?";

  private static final String FORCE_RELEASE =
      """
      UPDATE semel_idempotency SET state = 'R', token = ?, fingerprint = '', lease_until = ?,
        expires_at = ? + retention, ended_at = NULL, payload_type = '', payload = x''
      WHERE key = ? AND expires_at > ?""";

  private static final String DELETE =
      "DELETE FROM semel_idempotency WHERE key = ? AND expires_at > ?";

  private static final String ADOPT =
      """
      INSERT OR REPLACE INTO semel_idempotency (key, state, token, attempt, fingerprint,
        request_id, claimed_at, lease_until, expires_at, retention, ended_at, payload_type, payload)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, CASE WHEN ? THEN ? END, ?, ?)""";

  private static final String PURGE =
      """
      DELETE FROM semel_idempotency WHERE rowid IN (
        SELECT rowid FROM semel_idempotency WHERE expires_at <= ? ORDER BY expires_at LIMIT ?)""";

  private static final String ENDED =
      "SELECT count(*) FROM (SELECT 1 FROM semel_idempotency WHERE expires_at <= ? LIMIT ?)";

  private static final String COUNT = "SELECT count(*) FROM semel_idempotency WHERE expires_at > ?";

  private static final String BYTES =
      """
      SELECT coalesce(sum(pgsize), 0) FROM dbstat('main', 1)
      WHERE name IN (SELECT name FROM sqlite_master WHERE tbl_name = 'semel_idempotency')""";

  private SqliteKeys() {}

  public static Page list(StatementCache db, String prefix, String cursor, int limit, long now)
      throws SQLException {
    List<KeyEntry> entries = new ArrayList<>();
    long bytes = 0;
    try (ResultSet rs =
        db.query(LIST, now, now, now, prefix, cursor, KeyRange.end(prefix), now, limit + 1)) {
      while (rs.next()) {
        if (entries.size() == limit || bytes >= RecordRows.MAX_PAGE_BYTES) {
          return new Page(entries, entries.getLast().key().text());
        }
        KeyEntry entry =
            new KeyEntry(Key.parse(rs.getString(RecordRows.KEY)), SqliteRecords.existing(rs));
        bytes += entry.existing().payload().bytes().length;
        entries.add(entry);
      }
    }
    return new Page(entries, "");
  }

  public static boolean forceRelease(StatementCache db, Key key, long now) throws SQLException {
    return db.update(FORCE_RELEASE, RecordRows.bytes(Token.draw()), now, now, key.text(), now) == 1;
  }

  public static boolean delete(StatementCache db, Key key, long now) throws SQLException {
    return db.update(DELETE, key.text(), now) == 1;
  }

  /** Runs under the file's write lock, so what it read can't change before it writes. */
  public static RecordImport adopt(StatementCache db, KeyEntry entry, long now)
      throws SQLException {
    StoredRecord brought = entry.existing();
    if (!RecordRows.live(brought)) {
      return RecordImport.ENDED;
    }
    RecordImport adoption =
        SqliteRecords.find(db, entry.key(), now)
            .filter(RecordRows::live)
            .map(there -> RecordImport.meeting(there, brought))
            .orElse(RecordImport.COPIED);
    if (adoption.writes()) {
      long left = brought.original().retentionLeft().toMillis();
      db.update(
          ADOPT,
          entry.key().text(),
          RecordRows.code(brought.state()),
          RecordRows.bytes(brought.token()),
          brought.original().attempt(),
          brought.fingerprint().text(),
          brought.original().requestId(),
          now - brought.original().age().toMillis(),
          now + brought.leaseLeft().toMillis(),
          now + left,
          left,
          brought.state().ended(),
          now,
          brought.payload().type(),
          brought.payload().bytes());
    }
    return adoption;
  }

  public static int purge(StatementCache db, int limit, long now) throws SQLException {
    return db.update(PURGE, now, limit);
  }

  public static int ended(StatementCache db, int limit, long now) throws SQLException {
    return db.first(ENDED, rs -> rs.getInt(1), now, limit).orElseThrow();
  }

  public static Usage usage(StatementCache db, long now) throws SQLException {
    long active = db.first(COUNT, rs -> rs.getLong(1), now).orElseThrow();
    long bytes = db.first(BYTES, rs -> rs.getLong(1)).orElseThrow();
    return new Usage(active, bytes, true);
  }
}
