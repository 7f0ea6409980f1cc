import dev.semel.spring.*;
import dev.semel.transport.Message;
import org.springframework.jdbc.core.JdbcTemplate;

class Snippet {
  record Receipt(String order) {}

  record PaymentRequest(String orderId) {}

  JdbcTemplate jdbc;
  TransactionalOutbox outbox;
  String json(Object value) {
    return "{}";
  }

  // snippet
}
