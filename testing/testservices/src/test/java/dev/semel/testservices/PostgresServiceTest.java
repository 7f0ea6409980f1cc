package dev.semel.testservices;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@Tag("service")
@ExtendWith(SharedServices.class)
class PostgresServiceTest {
  @Test
  void sharedServerKeepsWhatItCommitted(PostgresService postgres) throws SQLException {
    assertThat(ask(postgres.database(), "SHOW server_version")).startsWith(PostgresFiles.VERSION);
    assertThat(ask(postgres.database(), "SHOW fsync")).isEqualTo("on");
    assertThat(ask(postgres.database(), "SHOW synchronous_commit")).isEqualTo("on");
  }

  @Test
  void freshDatabasesAreApart(PostgresService postgres) throws SQLException {
    TestDatabase one = postgres.freshDatabase();
    TestDatabase other = postgres.freshDatabase();
    run(one, "CREATE TABLE only_here (id int)");

    assertThat(ask(one, "SELECT to_regclass('only_here')::text")).isEqualTo("only_here");
    assertThat(ask(other, "SELECT coalesce(to_regclass('only_here')::text, 'none')"))
        .isEqualTo("none");
    assertThat(one.url())
        .isEqualTo("postgresql://postgres@127.0.0.1:%d/%s".formatted(postgres.port(), one.name()));
  }

  @Test
  void killedServerComesBackWithWhatWasCommitted() throws SQLException {
    ProcessHandle ended;
    try (PostgresService postgres = PostgresService.start()) {
      TestDatabase database = postgres.freshDatabase();
      run(database, "CREATE TABLE kept AS SELECT 42 AS answer");
      ProcessHandle first = postgres.process();
      postgres.kill();
      assertThat(first.isAlive()).isFalse();

      postgres.restart();
      assertThat(ask(database, "SELECT answer FROM kept")).isEqualTo("42");
      ended = postgres.process();
    }
    assertThat(ended.isAlive()).isFalse();
  }

  private static String ask(TestDatabase database, String query) throws SQLException {
    try (Connection connection = database.dataSource().getConnection();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(query)) {
      assertThat(rows.next()).isTrue();
      return rows.getString(1);
    }
  }

  private static void run(TestDatabase database, String command) throws SQLException {
    try (Connection connection = database.dataSource().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(command);
    }
  }
}
