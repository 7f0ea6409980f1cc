package dev.semel.jdbc;

import dev.semel.tck.messages.InboxUnderTest;
import dev.semel.tck.messages.InboxWorkerContract;
import dev.semel.testservices.MariaDbService;
import dev.semel.testservices.SharedServices;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;

@Tag("service")
@ExtendWith(SharedServices.class)
final class MariaDbInboxWorkerTest extends InboxWorkerContract {
  private static InboxFixture inbox;

  @BeforeAll
  static void open(MariaDbService mariadb) throws SQLException {
    inbox = InboxFixture.on(mariadb.freshDatabase());
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
