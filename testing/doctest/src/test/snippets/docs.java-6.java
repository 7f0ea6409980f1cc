import static java.nio.charset.StandardCharsets.UTF_8;

import dev.semel.*;
import dev.semel.event.SemelListener;
import dev.semel.idempotency.*;
import dev.semel.idempotency.spi.*;
import dev.semel.jdbc.*;
import java.nio.file.Path;
import java.time.*;
import java.util.List;
import java.sql.*;

class Snippet {
  // run
  public static void main(String[] args) throws Exception {
    try (SqliteStore store = SqliteStore.open(Path.of("semel.db"), InstantSource.system());
        Idempotency idempotency = new Idempotency(store, SemelListener.NONE)) {
      try (Connection direct = DriverManager.getConnection("jdbc:sqlite:semel.db");
          Statement statement = direct.createStatement()) {
        statement.execute("CREATE TABLE orders (item TEXT)");
        snippet(store, idempotency);
        snippet(store, idempotency);
        try (ResultSet orders = statement.executeQuery("SELECT count(*) FROM orders")) {
          orders.next();
          System.out.println(orders.getInt(1) + " order");
        }
      }
    }
  }

  static void snippet(SqliteStore store, Idempotency idempotency) throws Exception {
    // snippet
  }
}
// prints: 1 order
