package dev.semel.example.payments;

import dev.semel.spring.TransactionalOutbox;
import dev.semel.transport.Message;
import java.util.List;
import org.springframework.jdbc.core.RowMapper;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;
import tools.jackson.databind.json.JsonMapper;

/** Charges, and adds a message about it, in the transaction that also records the answer. */
@Service
class Payments {
  static final String CHARGES = "charges";

  private static final RowMapper<Charge> CHARGE =
      (row, number) ->
          new Charge(
              row.getLong("id"),
              row.getString("customer"),
              row.getString("order_id"),
              row.getLong("amount"));

  private final JdbcClient jdbc;
  private final TransactionalOutbox outbox;
  private final JsonMapper json;

  Payments(JdbcClient jdbc, TransactionalOutbox outbox, JsonMapper json) {
    this.jdbc = jdbc;
    this.outbox = outbox;
    this.json = json;
  }

  @Transactional
  public Charge charge(String customer, Payment payment) {
    Charge charge =
        jdbc.sql(
                """
                INSERT INTO charge (customer, order_id, amount) VALUES (?, ?, ?)
                RETURNING *
                """)
            .params(customer, payment.order(), payment.amount())
            .query(CHARGE)
            .single();
    outbox.add(Message.of(CHARGES, json.writeValueAsBytes(charge)).withType("charged"));
    return charge;
  }

  public List<Charge> of(String customer) {
    return jdbc.sql("SELECT * FROM charge WHERE customer = ? ORDER BY id")
        .param(customer)
        .query(CHARGE)
        .list();
  }
}
