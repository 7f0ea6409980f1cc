import dev.semel.event.SemelListener;
import dev.semel.http.*;
import dev.semel.idempotency.*;
import dev.semel.idempotency.spi.*;
import dev.semel.jdbc.*;
import dev.semel.servlet.*;
import jakarta.servlet.DispatcherType;
import java.util.EnumSet;
import javax.sql.DataSource;
import org.eclipse.jetty.ee10.servlet.*;

class Snippet {
  DataSource dataSource;
  ServletContextHandler context;

  void snippet() throws Exception {
    // snippet
  }
}
