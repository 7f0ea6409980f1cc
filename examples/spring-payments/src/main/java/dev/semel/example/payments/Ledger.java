package dev.semel.example.payments;

import dev.semel.transport.Message;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Service;
import tools.jackson.databind.json.JsonMapper;

/** Books what was charged. A message may come more than once, but takes effect once. */
@Service
class Ledger {
  private final JdbcClient jdbc;
  private final JsonMapper json;

  Ledger(JdbcClient jdbc, JsonMapper json) {
    this.jdbc = jdbc;
    this.json = json;
  }

  void book(Message message) {
    Charge charge = json.readValue(message.payload(), Charge.class);
    jdbc.sql("INSERT INTO ledger (charge_id, amount) VALUES (?, ?)")
        .params(charge.id(), charge.amount())
        .update();
  }
}
