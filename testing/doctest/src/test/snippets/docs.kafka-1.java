import dev.semel.kafka.*;
import dev.semel.inbox.*;
import dev.semel.jdbc.*;
import dev.semel.outbox.*;
import dev.semel.transport.*;

class Snippet {
  JdbcOutbox outbox;
  JdbcInbox inbox;
  MessageHandler handler;

  void snippet() throws Exception {
    // snippet
  }
}
