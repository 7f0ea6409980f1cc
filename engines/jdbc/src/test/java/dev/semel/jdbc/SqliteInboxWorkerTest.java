package dev.semel.jdbc;

import dev.semel.tck.messages.InboxUnderTest;
import dev.semel.tck.messages.InboxWorkerContract;
import java.nio.file.Path;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

final class SqliteInboxWorkerTest extends InboxWorkerContract {
  @TempDir static Path folder;
  private static InboxFixture inbox;

  @BeforeAll
  static void open() throws SQLException {
    inbox = InboxFixture.on(folder);
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
