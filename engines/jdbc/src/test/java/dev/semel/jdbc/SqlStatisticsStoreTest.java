package dev.semel.jdbc;

import dev.semel.tck.StatisticsStoreContract;
import dev.semel.tck.StoreUnderTest;

@OnEachEngine
final class SqlStatisticsStoreTest extends StatisticsStoreContract {
  private final SqlUnderTest sql;

  SqlStatisticsStoreTest(SqlUnderTest sql) {
    this.sql = sql;
  }

  @Override
  protected StoreUnderTest store() {
    return sql.store();
  }
}
