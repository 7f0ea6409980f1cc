import dev.semel.*;
import dev.semel.event.SemelListener;
import dev.semel.idempotency.*;
import dev.semel.jdbc.*;
import dev.semel.job.*;
import dev.semel.transport.Message;
import java.nio.file.Path;
import java.sql.Connection;
import java.time.*;

class Snippet {
  static final String requestBody = "10 €";
  static final Message message = Message.of("orders", requestBody.getBytes());

  static String charge(String effectKey) {
    System.out.println("charging");
    return "receipt";
  }

  static String insertOrder(Connection connection) {
    System.out.println("inserting");
    return "order";
  }

  // run
  public static void main(String[] args) throws Exception {
    // snippet
  }
}
// prints: charging
// prints: inserting
