import dev.semel.idempotency.*;
import dev.semel.loop.LoopFailures;

class Snippet {
  Idempotency idempotency;

  void snippet() throws Exception {
    // snippet
  }
}
