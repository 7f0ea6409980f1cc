package dev.semel.jdbc;

import dev.semel.tck.messages.InboxContract;
import dev.semel.tck.messages.InboxUnderTest;
import dev.semel.testservices.PostgresService;
import dev.semel.testservices.SharedServices;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;

@Tag("service")
@ExtendWith(SharedServices.class)
final class PostgresPartitionedInboxTest extends InboxContract {
  private static InboxFixture inbox;

  @BeforeAll
  static void open(PostgresService postgres) throws SQLException {
    inbox = InboxFixture.partitioned(postgres.freshDatabase());
  }

  @AfterAll
  static void close() throws SQLException {
    inbox.close();
  }

  @Override
  protected InboxUnderTest inbox() {
    return inbox;
  }
}
