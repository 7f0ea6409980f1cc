package dev.semel.jdbc;

import dev.semel.tck.messages.OutboxStoreContract;
import dev.semel.tck.messages.OutboxUnderTest;
import dev.semel.testservices.PostgresService;
import dev.semel.testservices.SharedServices;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;

@Tag("service")
@ExtendWith(SharedServices.class)
final class PostgresOutboxStoreTest extends OutboxStoreContract {
  private static OutboxFixture fixture;

  @BeforeAll
  static void open(PostgresService postgres) {
    fixture = OutboxFixture.of(postgres.freshDatabase());
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
