package dev.semel.jdbc;

import dev.semel.tck.messages.OutboxStoreContract;
import dev.semel.tck.messages.OutboxUnderTest;
import java.sql.SQLException;
import org.junit.jupiter.api.BeforeEach;

@OnEachEngine
final class SqlOutboxStoreTest extends OutboxStoreContract {
  private final SqlUnderTest sql;

  SqlOutboxStoreTest(SqlUnderTest sql) {
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
