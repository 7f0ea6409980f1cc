import static java.nio.charset.StandardCharsets.UTF_8;

import dev.semel.*;
import dev.semel.event.SemelListener;
import dev.semel.idempotency.*;
import dev.semel.idempotency.spi.*;
import dev.semel.jdbc.*;
import java.nio.file.Path;
import java.time.*;
import java.util.List;

class Snippet {
  interface Bank {
    String charge(byte[] body, String effectKey);
  }

  static int charges;
  static final Bank bank = (body, effectKey) -> "receipt " + ++charges;

  // run
  public static void main(String[] args) throws Exception {
    try (SqliteStore store = SqliteStore.open(Path.of("semel.db"), InstantSource.system());
        Idempotency idempotency = new Idempotency(store, SemelListener.NONE)) {
      for (int i = 0; i < 2; i++) {
        snippet(idempotency);
      }
    }
  }

  static void snippet(Idempotency idempotency) {
    // snippet
    System.out.println(outcome.getClass().getSimpleName() + " " + charges);
  }
}
// prints: Executed 1
// prints: Replayed 1
