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
  static void sell(String seat) {
    say("selling " + seat);
  }

  static void say(String text) {
    System.out.println(text);
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
  }
}
// prints: selling 12A
// prints: sold
