package dev.semel.jdbc;

import dev.semel.StoreException;
import dev.semel.idempotency.Adoption;
import dev.semel.idempotency.Entry;
import dev.semel.idempotency.Existing;
import java.sql.SQLException;
import java.util.Optional;

/** Takes in records of other stores on a server, each statement a transaction of its own. */
final class ServerAdoption {
  private final Dialect sql;
  private final ServerRecords records;

  ServerAdoption(Dialect sql, ServerRecords records) {
    this.sql = sql;
    this.records = records;
  }

  Adoption adopt(Statements db, Entry entry) throws SQLException {
    Existing brought = entry.existing();
    if (!Rows.live(brought)) {
      return Adoption.ENDED;
    }
    for (int tries = 0; tries < ServerRecords.MAX_CLAIM_TRIES; tries++) {
      Optional<Existing> there = records.find(db, entry.key());
      if (there.isEmpty()) {
        if (sql.insertAdopted(db, entry)) {
          return Adoption.COPIED;
        }
        continue; // someone else was first
      }
      Existing seen = there.get();
      Adoption adoption = Rows.live(seen) ? Adoption.meeting(seen, brought) : Adoption.COPIED;
      if (!adoption.writes() || replace(db, entry, seen)) {
        return adoption;
      }
    }
    throw new StoreException(
        "nothing was taken in: the key changed %d times while it was looked at: try again"
            .formatted(ServerRecords.MAX_CLAIM_TRIES));
  }

  /** Only what was seen. A record never comes back to a token and a state that it has left. */
  private boolean replace(Statements db, Entry entry, Existing seen) throws SQLException {
    Existing brought = entry.existing();
    long left = ServerRecords.micros(brought.original().retentionLeft());
    int replaced =
        db.update(
            sql.replaceAdopted(),
            Rows.code(brought.state()),
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
            Rows.code(seen.state()));
    return replaced == 1;
  }

  /** What an insert of it says, in the order of its columns. */
  static Object[] values(Dialect sql, Entry entry) {
    Existing brought = entry.existing();
    long left = ServerRecords.micros(brought.original().retentionLeft());
    return new Object[] {
      entry.key().text(),
      Rows.code(brought.state()),
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
