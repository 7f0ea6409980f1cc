package dev.semel.jdbc.internal.store;

import dev.semel.InvalidInput;
import dev.semel.Operation;
import dev.semel.idempotency.spi.SettingsStore;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;

/**
 * The operators' settings, on any engine. Writers take turns, so what a writer read can't change
 * before it writes.
 */
public final class SqlSettings implements SettingsStore {
  private static final String READ_ALL = "SELECT operation, version, text FROM semel_settings";
  private static final String VERSION = "SELECT version FROM semel_settings WHERE operation = ?";
  private static final String COUNT = "SELECT count(*) FROM semel_settings";

  private static final String INSERT =
      "INSERT INTO semel_settings (text, version, operation) VALUES (?, ?, ?)";

  private static final String UPDATE =
      "UPDATE semel_settings SET text = ?, version = ? WHERE operation = ?";

  private final SqlEngine engine;

  /** The result of a change; turned into an exception only after the transaction. */
  private enum Answer {
    WRITTEN,
    CHANGED_MEANWHILE,
    TOO_MANY
  }

  public SqlSettings(SqlEngine engine) {
    this.engine = engine;
  }

  @Override
  public Map<Operation, Stored> readAll() {
    return engine.read(
        "the settings were not read",
        db -> {
          Map<Operation, Stored> all = new HashMap<>();
          try (ResultSet rs = db.query(READ_ALL)) {
            while (rs.next()) {
              all.put(
                  new Operation(rs.getString(1)),
                  new Stored(rs.getLong(2), RecordRows.text(rs, 3)));
            }
          }
          return all;
        });
  }

  @Override
  public boolean write(Operation operation, long seen, String text) {
    Answer answer =
        engine.write(
            "the settings were not written", db -> write(db, operation.name(), seen, text));
    return switch (answer) {
      case WRITTEN -> true;
      case CHANGED_MEANWHILE -> false;
      case TOO_MANY -> throw new InvalidInput(SettingsStore.tooMany());
    };
  }

  private static Answer write(StatementCache db, String operation, long seen, String text)
      throws SQLException {
    TransactionTurn.SETTINGS.take(db);
    long version = db.first(VERSION, rs -> rs.getLong(1), operation).orElse(0L);
    if (version != seen) {
      return Answer.CHANGED_MEANWHILE;
    }
    if (version == 0 && db.first(COUNT, rs -> rs.getLong(1)).orElseThrow() >= MAX_OPERATIONS) {
      return Answer.TOO_MANY;
    }
    db.update(version == 0 ? INSERT : UPDATE, text, version + 1, operation);
    return Answer.WRITTEN;
  }
}
