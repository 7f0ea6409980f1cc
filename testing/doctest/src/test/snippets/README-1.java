import dev.semel.*;
import dev.semel.event.SemelListener;
import dev.semel.idempotency.*;
import dev.semel.idempotency.spi.*;
import dev.semel.jdbc.SqliteStore;
import java.nio.file.Path;
import java.time.*;

class Snippet {
  static int charges;
  static String told = "";
  static String requestBody = "amount=10";
  
  static String charge(String effectKey) {
    charges++;
    return "charged " + effectKey;
  }

  static void respond(String text) {
    told = text;
  }

  static void retryAfter(Duration left) {
    told = "busy";
  }

  static void reject() {
    told = "mismatch";
  }

  static void fail(Object failure) {
    told = "failed";
  }

  static void askAHuman(FirstExecution original) {
    told = "in doubt";
  }

  static void expect(String what, boolean holds) {
    if (!holds) {
      throw new AssertionError(what + ": " + charges + " charges, " + told);
    }
  }

  // run: the page says that it happens once, and that another body is a mismatch
  public static void main(String[] args) throws Exception {
    snippet();
    String first = told;
    expect("the first runs", charges == 1 && first.startsWith("charged"));
    snippet();
    expect("the second is told the same", charges == 1 && told.equals(first));
    requestBody = "amount=11";
    snippet();
    expect("another body is refused", charges == 1 && told.equals("mismatch"));
  }


  static void snippet() throws Exception {
    // snippet
    idempotency.close();
    store.close();
  }
}
