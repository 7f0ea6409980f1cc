package dev.semel.testservices;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@Tag("service")
@ExtendWith(SharedServices.class)
class MariaDbServiceTest {
  @Test
  void sharedServerKeepsWhatItCommitted(MariaDbService mariadb) throws SQLException {
    assertThat(ask(mariadb.database(), "SELECT version()"))
        .startsWith(MariaDbBinaries.VERSION + "-MariaDB");
    assertThat(ask(mariadb.database(), "SELECT @@innodb_flush_log_at_trx_commit")).isEqualTo("1");
    assertThat(ask(mariadb.database(), "SELECT @@bind_address")).isEqualTo("127.0.0.1");
  }

  @Test
  void freshDatabasesAreApart(MariaDbService mariadb) throws SQLException {
    MariaDbDatabase one = mariadb.freshDatabase();
    MariaDbDatabase other = mariadb.freshDatabase();
    run(one, "CREATE TABLE only_here (id int)");

    String tables =
        "SELECT count(*) FROM information_schema.tables WHERE table_schema = DATABASE()";
    assertThat(ask(one, tables)).isEqualTo("1");
    assertThat(ask(other, tables)).isEqualTo("0");
    assertThat(one.url())
        .isEqualTo("mariadb://semel:secret@127.0.0.1:%d/%s".formatted(mariadb.port(), one.name()));
  }

  @Test
  void killedServerComesBackWithWhatWasCommitted() throws SQLException {
    ProcessHandle ended;
    try (MariaDbService mariadb = MariaDbService.start()) {
      MariaDbDatabase database = mariadb.freshDatabase();
      run(database, "CREATE TABLE kept AS SELECT 42 AS answer");
      ProcessHandle first = mariadb.process();
      mariadb.kill();
      assertThat(first.isAlive()).isFalse();

      mariadb.restart();
      assertThat(ask(database, "SELECT answer FROM kept")).isEqualTo("42");
      ended = mariadb.process();
    }
    assertThat(ended.isAlive()).isFalse();
  }

  @Test
  void machineWithoutABinaryIsToldSo() {
    assertThatThrownBy(() -> MariaDbBinaries.requireCarried("Mac OS X", "aarch64"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("Mac OS X aarch64");
  }

  private static String ask(MariaDbDatabase database, String query) throws SQLException {
    try (Connection connection = database.dataSource().getConnection();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(query)) {
      assertThat(rows.next()).isTrue();
      return rows.getString(1);
    }
  }

  private static void run(MariaDbDatabase database, String command) throws SQLException {
    try (Connection connection = database.dataSource().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(command);
    }
  }
}
