import dev.semel.inbox.*;
import dev.semel.jdbc.*;
import dev.semel.outbox.*;
import dev.semel.transport.*;
import java.sql.Connection;
import javax.sql.DataSource;

class Snippet {
  DataSource dataSource;
  Transport transport;
  String json = "{}";
  Object order;
  Object insertOrder(Connection connection, Object order) {
    return order;
  }

  void book(Connection connection, Message message) {}

  void snippet() throws Exception {
    // snippet
  }
}
