import dev.semel.event.*;
import dev.semel.idempotency.*;
import dev.semel.idempotency.spi.*;
import dev.semel.inbox.*;
import dev.semel.jdbc.*;
import dev.semel.loop.Platform;
import dev.semel.outbox.*;
import dev.semel.transport.*;

class Snippet {
  JdbcOutbox outbox;
  Transport transport;
  RelaySettings settings;
  Idempotency idempotency;
  Subscription subscription;
  ConsumerInbox consumerInbox;
  DeadLetters deadLetters;
  ConsumerSettings consumerSettings;

  void snippet() throws Exception {
    // snippet
  }
}
