package dev.semel.jdbc;

import dev.semel.tck.messages.InboxContract;
import dev.semel.tck.messages.InboxUnderTest;
import org.junit.jupiter.params.provider.ArgumentsSource;

@ArgumentsSource(SqlEngines.Partitioned.class)
@OnEachEngine
final class SqlInboxTest extends InboxContract {
  private final SqlUnderTest sql;

  SqlInboxTest(SqlUnderTest sql) {
    this.sql = sql;
  }

  @Override
  protected InboxUnderTest inbox() {
    return sql.inbox();
  }
}
