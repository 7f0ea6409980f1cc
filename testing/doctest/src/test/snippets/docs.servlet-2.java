import dev.semel.http.*;
import dev.semel.servlet.*;
import jakarta.servlet.*;
import java.util.EnumSet;

class Snippet {
  ServletContext servletContext;
  HttpIdempotency http;

  void snippet() throws Exception {
    // snippet
  }
}
