import dev.semel.*;
import dev.semel.idempotency.Idempotency;
import dev.semel.jdbc.*;
import dev.semel.job.*;
import java.sql.Connection;

class Snippet {
  static final Operation CHARGES = new Operation("charges");
  PostgresStore store;
  Idempotency idempotency;
  Jobs jobs;
  ProcessorSettings settings;

  void snippet() throws Exception {
    // snippet
  }
}
