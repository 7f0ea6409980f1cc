package dev.semel.jdbc;

import dev.semel.tck.messages.OutboxOperationsContract;
import dev.semel.tck.messages.OutboxUnderTest;
import java.sql.SQLException;
import org.junit.jupiter.api.BeforeEach;

@OnEachEngine
final class SqlOutboxOperationsTest extends OutboxOperationsContract {
  private final SqlUnderTest sql;

  SqlOutboxOperationsTest(SqlUnderTest sql) {
    this.sql = sql;
  }

  @BeforeEach
  void empty() throws SQLException {
    sql.outbox().emptied();
  }

  @Override
  protected OutboxUnderTest outbox() {
    return sql.outbox();
  }
}
