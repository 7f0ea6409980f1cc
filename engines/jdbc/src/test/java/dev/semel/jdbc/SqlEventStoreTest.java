package dev.semel.jdbc;

import dev.semel.tck.EventStoreContract;
import dev.semel.tck.StoreUnderTest;

@OnEachEngine
final class SqlEventStoreTest extends EventStoreContract {
  private final SqlUnderTest sql;

  SqlEventStoreTest(SqlUnderTest sql) {
    this.sql = sql;
  }

  @Override
  protected StoreUnderTest store() {
    return sql.store();
  }
}
