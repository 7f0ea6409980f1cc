import dev.semel.*;
import dev.semel.idempotency.Idempotency;
import dev.semel.job.*;
import java.time.*;

class Snippet {
  interface Reports {
    void create(Object slot, String effectKey);
  }

  Idempotency idempotency;
  Reports reports;

  void snippet() throws Exception {
    // snippet
  }
}
