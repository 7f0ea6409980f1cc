import dev.semel.jdbc.*;
import dev.semel.rabbitmq.*;
import dev.semel.transport.*;

class Snippet {
  JdbcInbox inbox;

  void snippet() throws Exception {
    // snippet
  }
}
