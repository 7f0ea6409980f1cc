import dev.semel.inbox.*;
import dev.semel.jdbc.*;
import dev.semel.outbox.*;
import dev.semel.transport.*;

class Snippet {
  Transport transport;
  JdbcInbox inbox;

  void snippet() throws Exception {
    // snippet
  }
}
