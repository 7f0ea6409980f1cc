package dev.semel.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.InvalidInput;
import dev.semel.testservices.MariaDbService;
import dev.semel.testservices.SharedServices;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@Tag("service")
@ExtendWith(SharedServices.class)
final class MariaDbJdbcOutboxTest extends JdbcOutboxContract {
  private static OutboxFixture fixture;

  @BeforeAll
  static void open(MariaDbService mariadb) {
    fixture = OutboxFixture.of(mariadb.freshDatabase());
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
  protected OutboxFixture fixture() {
    return fixture;
  }

  @Test
  void auditDoesNotWriteThroughAFunction() throws SQLException {
    fixture.execute(
        "CREATE FUNCTION noting() RETURNS int MODIFIES SQL DATA"
            + " BEGIN INSERT INTO orders (id) VALUES ('noted'); RETURN 1; END");
    assertThatThrownBy(() -> fixture.outbox().audit("SELECT noting()"))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("only looks");
    assertThat(fixture.number("SELECT count(*) FROM orders WHERE id = 'noted'")).isZero();
  }
}
