package dev.semel.jdbc;

import dev.semel.tck.IdempotencyStoreContract;
import dev.semel.tck.StoreUnderTest;
import org.junit.jupiter.api.Order;

@OnEachEngine
@Order(0) // the longest of them
final class SqlIdempotencyStoreTest extends IdempotencyStoreContract {
  private final SqlUnderTest sql;

  SqlIdempotencyStoreTest(SqlUnderTest sql) {
    this.sql = sql;
  }

  @Override
  protected StoreUnderTest store() {
    return sql.store();
  }
}
