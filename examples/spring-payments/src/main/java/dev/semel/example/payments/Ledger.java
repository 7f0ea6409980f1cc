package dev.semel.example.payments;

import dev.semel.transport.Message;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Service;
import tools.jackson.databind.json.JsonMapper;

/**
 * Books charges. A message may be delivered more than once, but takes effect once. A charge that
 * can't be booked is retried, and finally becomes a dead letter.
 */
@Service
class Ledger {
  private final JdbcClient jdbc;
  private final JsonMapper json;
  private final long limit;

  Ledger(JdbcClient jdbc, JsonMapper json, @Value("${payments.ledger-limit}") long limit) {
    this.jdbc = jdbc;
    this.json = json;
    this.limit = limit;
  }

  void book(Message message) {
    Charge charge = json.readValue(message.payload(), Charge.class);
    if (charge.amount() > limit) {
      throw new IllegalStateException("more than the ledger takes (payments.ledger-limit)");
    }
    jdbc.sql("INSERT INTO ledger (charge_id, amount) VALUES (?, ?)")
        .params(charge.id(), charge.amount())
        .update();
  }
}
