import dev.semel.inbox.*;
import dev.semel.jdbc.*;
import dev.semel.micrometer.*;
import dev.semel.outbox.*;
import dev.semel.transport.*;
import io.micrometer.observation.ObservationRegistry;
import java.sql.Connection;

class Snippet {
  ObservationRegistry observationRegistry;
  JdbcOutbox outbox;
  JdbcInbox inbox;
  Connection connection;
  Message message;
  Transport transport;
  RelaySettings settings;

  void book(Connection connection, Message message) {}

  void snippet() throws Exception {
    // snippet
  }
}
