package dev.semel.jdbc;

import dev.semel.tck.messages.OutboxStoreContract;
import dev.semel.tck.messages.OutboxUnderTest;
import java.nio.file.Path;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

final class SqliteOutboxStoreTest extends OutboxStoreContract {
  @TempDir static Path folder;
  private static OutboxFixture fixture;

  @BeforeAll
  static void open() {
    fixture = OutboxFixture.of(folder);
  }

  @BeforeEach
  void empty() throws SQLException {
    fixture.emptied();
  }

  @AfterAll
  static void close() {
    fixture.close();
  }

  @Override
  protected OutboxUnderTest outbox() {
    return fixture;
  }
}
