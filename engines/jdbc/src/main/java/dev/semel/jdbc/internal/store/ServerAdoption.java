package dev.semel.jdbc.internal.store;

import dev.semel.StoreException;
import dev.semel.idempotency.spi.KeyEntry;
import dev.semel.idempotency.spi.RecordImport;
import dev.semel.idempotency.spi.StoredRecord;
import java.sql.SQLException;
import java.util.Optional;

/** Takes in records of other stores on a server, each statement a transaction of its own. */
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
        continue; // someone else was first
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

  /** Only what was seen. A record never comes back to a token and a state that it has left. */
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

  /** What an insert of it says, in the order of its columns. */
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
