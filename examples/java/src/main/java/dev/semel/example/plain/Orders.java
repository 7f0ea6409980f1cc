package dev.semel.example.plain;

import dev.semel.Key;
import dev.semel.idempotency.Codec;
import dev.semel.idempotency.ExecutionRequest;
import dev.semel.idempotency.Fingerprint;
import dev.semel.idempotency.Outcome;
import dev.semel.jdbc.TransactionalIdempotency;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * Orders in the same file as the keys. A row and the record of it commit together: there is no
 * moment between them in which to die.
 */
final class Orders {
  private final TransactionalIdempotency transactional;

  Orders(TransactionalIdempotency transactional) {
    this.transactional = transactional;
  }

  Outcome<String> place(String id, String item) throws SQLException {
    return transactional.execute(
        ExecutionRequest.of(Key.of("order", id), Codec.utf8())
            .withFingerprint(Fingerprint.of(item)),
        (connection, execution) -> insert(connection, item));
  }

  private static String insert(Connection connection, String item) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(
          "CREATE TABLE IF NOT EXISTS orders (number INTEGER PRIMARY KEY, item TEXT)");
    }
    try (PreparedStatement insert =
        connection.prepareStatement("INSERT INTO orders (item) VALUES (?) RETURNING number")) {
      insert.setString(1, item);
      try (ResultSet inserted = insert.executeQuery()) {
        inserted.next();
        return "number " + inserted.getLong(1);
      }
    }
  }
}
