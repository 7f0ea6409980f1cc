package dev.semel.jdbc;

import dev.semel.tck.messages.InboxUnderTest;
import dev.semel.tck.messages.InboxWorkerContract;
import org.junit.jupiter.params.provider.ArgumentsSource;

@ArgumentsSource(SqlEngines.Partitioned.class)
@OnEachEngine
final class SqlInboxWorkerTest extends InboxWorkerContract {
  private final SqlUnderTest sql;

  SqlInboxWorkerTest(SqlUnderTest sql) {
    this.sql = sql;
  }

  @Override
  protected InboxUnderTest inbox() {
    return sql.inbox();
  }
}
