package dev.semel.jdbc;

import dev.semel.tck.SettingsStoreContract;
import dev.semel.tck.StoreUnderTest;

@OnEachEngine
final class SqlSettingsStoreTest extends SettingsStoreContract {
  private final SqlUnderTest sql;

  SqlSettingsStoreTest(SqlUnderTest sql) {
    this.sql = sql;
  }

  @Override
  protected StoreUnderTest store() {
    return sql.store();
  }
}
