package dev.semel.jdbc;

import dev.semel.tck.IdempotencyStoreContract;
import dev.semel.tck.StoreUnderTest;

@OnEachEngine
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
