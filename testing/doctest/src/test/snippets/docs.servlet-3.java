import dev.semel.http.*;
import dev.semel.idempotency.*;
import dev.semel.idempotency.spi.*;
import dev.semel.json.JsonPointer;
import dev.semel.servlet.*;
import java.util.List;

class Snippet {
  Idempotency idempotency;

  IdempotencyFilter filter() {
    return
    // snippet
    ;
  }
}
