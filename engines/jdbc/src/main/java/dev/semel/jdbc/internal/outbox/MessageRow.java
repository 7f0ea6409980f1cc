package dev.semel.jdbc.internal.outbox;

import dev.semel.InvalidInput;
import dev.semel.transport.Message;
import java.nio.charset.StandardCharsets;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Types;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** Builds messages from the rows of an application's query, by column names. */
final class MessageRow {
  private static final String ID = "id";
  private static final String NAME = "name";
  private static final String DESTINATION = "destination";
  private static final String PAYLOAD = "payload";
  private static final String ORDERING_KEY = "ordering_key";
  private static final String TYPE = "type";
  private static final Set<String> KNOWN =
      Set.of(ID, NAME, DESTINATION, PAYLOAD, ORDERING_KEY, TYPE);
  private static final Set<Integer> BINARY =
      Set.of(Types.BINARY, Types.VARBINARY, Types.LONGVARBINARY, Types.BLOB);

  private final ResultSet rs;
  private final Map<String, Integer> columns;

  private MessageRow(ResultSet rs, Map<String, Integer> columns) {
    this.rs = rs;
    this.columns = columns;
  }

  static MessageRow of(ResultSet rs) throws SQLException {
    return new MessageRow(rs, columns(rs.getMetaData()));
  }

  /** The current row's message; empty without an id. */
  Optional<Message> message() throws SQLException {
    boolean named = columns.containsKey(NAME);
    String id = textOrEmpty(named ? NAME : ID);
    if (id.isEmpty()) {
      return Optional.empty();
    }
    Message message =
        Message.of(text(DESTINATION), payload())
            .withOrderingKey(textOrEmpty(ORDERING_KEY))
            .withType(textOrEmpty(TYPE));
    return Optional.of(named ? message.withIdOf(id) : message.withId(id));
  }

  private static Map<String, Integer> columns(ResultSetMetaData described) throws SQLException {
    Map<String, Integer> columns = new TreeMap<>();
    for (int each = 1; each <= described.getColumnCount(); each++) {
      columns.put(described.getColumnLabel(each).toLowerCase(Locale.ROOT), each);
    }
    boolean oneId = columns.containsKey(ID) != columns.containsKey(NAME);
    if (!oneId
        || !columns.containsKey(DESTINATION)
        || !columns.containsKey(PAYLOAD)
        || !KNOWN.containsAll(columns.keySet())) {
      throw new InvalidInput(
          "the query selects the columns %s: a rebuild needs id or name, destination and payload, and knows ordering_key and type"
              .formatted(String.join(", ", columns.keySet())));
    }
    return columns;
  }

  private int number(String column) {
    return Objects.requireNonNull(columns.get(column));
  }

  private String text(String column) throws SQLException {
    String text = rs.getString(number(column));
    if (text == null) {
      throw new InvalidInput("the query selects a row without " + column);
    }
    return text;
  }

  private String textOrEmpty(String column) throws SQLException {
    Integer number = columns.get(column);
    String text = number == null ? null : rs.getString(number);
    return text == null ? "" : text;
  }

  private byte[] payload() throws SQLException {
    int column = number(PAYLOAD);
    boolean binary =
        BINARY.contains(rs.getMetaData().getColumnType(column))
            || rs.getObject(column) instanceof byte[];
    if (!binary) {
      return text(PAYLOAD).getBytes(StandardCharsets.UTF_8);
    }
    byte[] bytes = rs.getBytes(column);
    if (bytes == null) {
      throw new InvalidInput("the query selects a row without " + PAYLOAD);
    }
    return bytes;
  }
}
