import dev.semel.event.SemelListener;
import dev.semel.http.*;
import dev.semel.idempotency.*;
import dev.semel.idempotency.spi.*;
import dev.semel.jdbc.*;
import dev.semel.servlet.*;
import jakarta.servlet.http.HttpServletRequest;
import java.sql.Connection;

class Snippet {
  PostgresStore store;
  HttpServletRequest request;

  void snippet() throws Exception {
    // snippet
  }
}
