import static java.nio.charset.StandardCharsets.UTF_8;

import dev.semel.*;
import dev.semel.event.SemelListener;
import dev.semel.idempotency.*;
import dev.semel.inbox.*;
import dev.semel.jdbc.*;
import dev.semel.job.*;
import dev.semel.outbox.*;
import java.sql.*;
import java.time.*;
import java.util.List;
import java.util.concurrent.*;
import javax.sql.DataSource;

class Snippet {
  DataSource dataSource;

  void snippet() {
    // snippet
  }
}
