import dev.semel.event.ProcessEvents;
import dev.semel.idempotency.*;

class Snippet {
  Idempotency idempotency;

  void snippet() throws Exception {
    // snippet
  }
}
