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
  interface Bank {
    String charge(byte[] body, String effectKey);
  }

  static int charges;
  static final Bank bank = (body, effectKey) -> "receipt " + ++charges;

  // run
  public static void main(String[] args) throws Exception {
    snippet("10 €".getBytes(UTF_8));
    snippet("10 €".getBytes(UTF_8));
    snippet("11 €".getBytes(UTF_8));
  }

  static void snippet(byte[] body) {
    // snippet
    System.out.println(outcome.getClass().getSimpleName() + " " + charges);
    semel.close();
  }
}
// prints: Executed 1
// prints: Replayed 1
// prints: Mismatch 1
