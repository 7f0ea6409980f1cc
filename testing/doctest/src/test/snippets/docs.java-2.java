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
    try (Semel semel = Semel.open("sqlite:semel.db")) {
      snippet(semel);
      snippet(semel);
    }
  }

  static void snippet(Semel semel) {
    // snippet
    System.out.println(outcome.getClass().getSimpleName() + " " + charges);
  }
}
// prints: Executed 1
// prints: Replayed 1
