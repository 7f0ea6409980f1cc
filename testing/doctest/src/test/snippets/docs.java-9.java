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
    CompletionStage<String> chargeLater(String effectKey);
  }

  static int charges;
  static final Bank bank = effectKey -> CompletableFuture.supplyAsync(() -> "receipt " + ++charges);

  // run
  public static void main(String[] args) throws Exception {
    try (Semel semel = Semel.open("sqlite:semel.db")) {
      snippet(semel);
      snippet(semel);
    }
  }

  static void snippet(Semel semel) throws Exception {
    // snippet
    System.out.println(outcome.toCompletableFuture().get().value().get());
  }
}
// prints: receipt 1
// prints: receipt 1
