import dev.semel.inbox.*;
import dev.semel.jdbc.*;
import dev.semel.outbox.*;
import dev.semel.transport.*;
import dev.semel.stream.client.*;
import dev.semel.stream.transport.*;
import java.net.URI;

class Snippet {
  String token = "";
  JdbcOutbox outbox;
  JdbcInbox inbox;
  MessageHandler handler;
  DeadLetters deadLetters;

  void snippet() throws Exception {
    // snippet
  }
}
