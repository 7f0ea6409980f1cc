import dev.semel.*;
import dev.semel.event.SemelListener;
import dev.semel.idempotency.Idempotency;
import dev.semel.jdbc.*;
import dev.semel.job.*;
import javax.sql.DataSource;

class Snippet {
  DataSource dataSource;
  String body = "{}";
  void export(byte[] payload, String effectKey) {}

  void snippet() throws Exception {
    // snippet
  }
}
