import static java.nio.charset.StandardCharsets.UTF_8;

import dev.semel.*;
import dev.semel.event.SemelListener;
import dev.semel.idempotency.*;
import dev.semel.inbox.*;
import dev.semel.jdbc.*;
import dev.semel.job.*;
import dev.semel.outbox.*;
import java.sql.*;
import java.time.*;
import java.util.List;
import java.util.concurrent.*;
import javax.sql.DataSource;

class Snippet {
  static final Source dataSource = () -> DriverManager.getConnection("jdbc:sqlite:semel.db?busy_timeout=60000");

  interface Source {
    Connection getConnection() throws SQLException;
  }

  static String insert(Connection connection, String item) throws SQLException {
    try (PreparedStatement insert = connection.prepareStatement("INSERT INTO orders (item) VALUES (?)")) {
      insert.setString(1, item);
      insert.executeUpdate();
    }
    System.out.println("inserted " + item);
    return item;
  }

  // run
  public static void main(String[] args) throws Exception {
    try (Semel semel = Semel.open("sqlite:semel.db")) {
      try (Connection connection = dataSource.getConnection(); Statement statement = connection.createStatement()) {
        statement.execute("CREATE TABLE orders (item TEXT)");
      }
      snippet(semel);
      snippet(semel);
    }
  }

  static void snippet(Semel semel) throws Exception {
    // snippet
  }
}
// prints: inserted a book
