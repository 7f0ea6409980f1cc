package dev.semel.example.webhook;

import dev.semel.InvalidInput;
import dev.semel.json.JsonPointer;
import dev.semel.json.JsonValue;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;

/** The application's handling of an event: one row for each. It does not look for duplicates. */
final class Alerts {
  private static final JsonPointer STATE = JsonPointer.parse("/alert/state");
  private static final JsonPointer TEXT = JsonPointer.parse("/alert/text");

  /** Runs in the transaction that records the event's id. */
  String note(Connection connection, JsonValue event) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE IF NOT EXISTS alerts (state TEXT, text TEXT)");
    }
    try (PreparedStatement insert =
        connection.prepareStatement("INSERT INTO alerts (state, text) VALUES (?, ?)")) {
      insert.setString(1, text(event, STATE));
      insert.setString(2, text(event, TEXT));
      insert.executeUpdate();
    }
    System.out.println("  receiver: " + text(event, STATE) + ": " + text(event, TEXT));
    return "noted";
  }

  /**
   * @throws InvalidInput there is no text at that place
   */
  static String text(JsonValue event, JsonPointer place) {
    return place
        .in(event)
        .map(found -> found instanceof JsonValue.JsonString string ? string.text() : "")
        .filter(text -> !text.isEmpty())
        .orElseThrow(() -> new InvalidInput("there is no text in " + place));
  }
}
