import dev.semel.event.ProcessEvents;
import dev.semel.idempotency.*;
import dev.semel.idempotency.spi.*;

class Snippet {
  Idempotency idempotency;

  void snippet() throws Exception {
    // snippet
  }
}
