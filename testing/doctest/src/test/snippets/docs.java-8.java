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
  static String withdraw(int amount, String effectKey) {
    System.out.println("withdrawing " + amount);
    return "done";
  }

  // run
  public static void main(String[] args) throws Exception {
    try (Semel semel = Semel.open("sqlite:semel.db")) {
      snippet(semel);
      snippet(semel);
    }
  }

  static void snippet(Semel semel) {
    // snippet
    System.out.println(outcome.getClass().getSimpleName());
  }
}
// prints: withdrawing 50
// prints: Executed
// prints: Replayed
