package dev.semel.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.InvalidInput;
import dev.semel.testservices.MariaDbService;
import dev.semel.testservices.SharedServices;
import java.sql.SQLException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What an outbox refuses only on MariaDB. */
@Tag("service")
@ExtendWith(SharedServices.class)
final class MariaDbOutboxTest {
  @Test
  void auditDoesNotWriteThroughAFunction(MariaDbService mariadb) throws SQLException {
    try (OutboxFixture fixture = OutboxFixture.of(mariadb.freshDatabase())) {
      fixture.execute(
          "CREATE TABLE orders (id varchar(64) PRIMARY KEY)",
          "CREATE FUNCTION noting() RETURNS int MODIFIES SQL DATA"
              + " BEGIN INSERT INTO orders (id) VALUES ('noted'); RETURN 1; END");
      assertThatThrownBy(() -> fixture.outbox().audit("SELECT noting()"))
          .isInstanceOf(InvalidInput.class)
          .hasMessageContaining("only looks");
      assertThat(fixture.number("SELECT count(*) FROM orders WHERE id = 'noted'")).isZero();
    }
  }
}
