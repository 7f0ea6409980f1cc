package dev.semel.jdbc.internal.store;

import dev.semel.StoreException;
import dev.semel.idempotency.spi.KeyEntry;
import dev.semel.idempotency.spi.RecordImport;
import dev.semel.idempotency.spi.StoredRecord;
import java.sql.SQLException;
import java.util.Optional;

/** Imports records of other stores on a server, one auto-committed statement each. */
final class ServerAdoption {
  private final SqlDialect sql;
  private final ServerRecords records;

  ServerAdoption(SqlDialect sql, ServerRecords records) {
    this.sql = sql;
    this.records = records;
  }

  RecordImport adopt(StatementCache db, KeyEntry entry) throws SQLException {
    StoredRecord brought = entry.existing();
    if (!RecordRows.live(brought)) {
      return RecordImport.ENDED;
    }
    for (int tries = 0; tries < ServerRecords.MAX_CLAIM_TRIES; tries++) {
      Optional<StoredRecord> there = records.find(db, entry.key());
      if (there.isEmpty()) {
        if (sql.insertAdopted(db, entry)) {
          return RecordImport.COPIED;
        }
        continue; // another import was first
      }
      StoredRecord seen = there.get();
      RecordImport adoption =
          RecordRows.live(seen) ? RecordImport.meeting(seen, brought) : RecordImport.COPIED;
      if (!adoption.writes() || replace(db, entry, seen)) {
        return adoption;
      }
    }
    throw new StoreException(
        "nothing was taken in: the key changed %d times while it was looked at: try again"
            .formatted(ServerRecords.MAX_CLAIM_TRIES));
  }

  /**
   * Replaces the record only if it is unchanged. A record never returns to an earlier token and
   * state.
   */
  private boolean replace(StatementCache db, KeyEntry entry, StoredRecord seen)
      throws SQLException {
    StoredRecord brought = entry.existing();
    long left = ServerRecords.micros(brought.original().retentionLeft());
    int replaced =
        db.update(
            sql.replaceAdopted(),
            RecordRows.code(brought.state()),
            sql.value(brought.token()),
            brought.original().attempt(),
            brought.fingerprint().text(),
            brought.original().requestId(),
            ServerRecords.micros(brought.original().age()),
            ServerRecords.micros(brought.leaseLeft()),
            left,
            left,
            brought.state().ended(),
            brought.payload().type(),
            brought.payload().bytes(),
            entry.key().text(),
            sql.value(seen.token()),
            RecordRows.code(seen.state()));
    return replaced == 1;
  }

  /** The insert's values, in the order of its columns. */
  static Object[] values(SqlDialect sql, KeyEntry entry) {
    StoredRecord brought = entry.existing();
    long left = ServerRecords.micros(brought.original().retentionLeft());
    return new Object[] {
      entry.key().text(),
      RecordRows.code(brought.state()),
      sql.value(brought.token()),
      brought.original().attempt(),
      brought.fingerprint().text(),
      brought.original().requestId(),
      ServerRecords.micros(brought.original().age()),
      ServerRecords.micros(brought.leaseLeft()),
      left,
      left,
      brought.state().ended(),
      brought.payload().type(),
      brought.payload().bytes()
    };
  }
}
