package dev.semel.jdbc;

import dev.semel.tck.KeyCatalogContract;
import dev.semel.tck.StoreUnderTest;

@OnEachEngine
final class SqlKeyCatalogTest extends KeyCatalogContract {
  private final SqlUnderTest sql;

  SqlKeyCatalogTest(SqlUnderTest sql) {
    this.sql = sql;
  }

  @Override
  protected StoreUnderTest store() {
    return sql.store();
  }
}
