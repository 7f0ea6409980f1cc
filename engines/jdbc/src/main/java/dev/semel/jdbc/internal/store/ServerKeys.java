package dev.semel.jdbc.internal.store;

import dev.semel.Key;
import dev.semel.Token;
import dev.semel.idempotency.spi.KeyCatalog.Page;
import dev.semel.idempotency.spi.KeyCatalog.Usage;
import dev.semel.idempotency.spi.KeyEntry;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** The operators' queries on a server. */
final class ServerKeys {
  private final SqlDialect sql;

  ServerKeys(SqlDialect sql) {
    this.sql = sql;
  }

  Page list(StatementCache db, String prefix, String cursor, int limit) throws SQLException {
    List<KeyEntry> entries = new ArrayList<>();
    long bytes = 0;
    try (ResultSet rs =
        db.query(
            sql.list(),
            KeyRange.start(prefix),
            KeyRange.start(cursor),
            KeyRange.end(prefix),
            limit + 1,
            RecordRows.MAX_PAGE_BYTES)) {
      while (rs.next()) {
        if (entries.size() == limit) {
          return new Page(entries, entries.getLast().key().text());
        }
        KeyEntry entry =
            new KeyEntry(Key.parse(rs.getString(RecordRows.KEY)), ServerRecords.existing(sql, rs));
        bytes += entry.existing().payload().bytes().length;
        entries.add(entry);
      }
    }
    boolean cut = bytes >= RecordRows.MAX_PAGE_BYTES;
    return new Page(entries, cut ? entries.getLast().key().text() : "");
  }

  boolean forceRelease(StatementCache db, Key key) throws SQLException {
    return db.update(sql.forceRelease(), sql.value(Token.draw()), key.text()) == 1;
  }

  boolean delete(StatementCache db, Key key) throws SQLException {
    return db.update(sql.delete(), key.text()) == 1;
  }

  int purge(StatementCache db, int limit) throws SQLException {
    return db.update(sql.purge(), limit);
  }

  int ended(StatementCache db, int limit) throws SQLException {
    return db.first(sql.ended(), rs -> rs.getInt(1), limit).orElseThrow();
  }

  Usage usage(StatementCache db) throws SQLException {
    return db.first(sql.usage(), rs -> new Usage(rs.getLong(1), rs.getLong(2), rs.getBoolean(3)))
        .orElseThrow();
  }
}
