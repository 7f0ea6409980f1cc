import dev.semel.Semel;
import dev.semel.inbox.*;
import dev.semel.outbox.*;
import dev.semel.transport.*;
import java.sql.Connection;

class Snippet {
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
