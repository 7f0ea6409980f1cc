package dev.semel.cli.messages;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.cli.Cli;
import dev.semel.cli.ExitCode;
import dev.semel.jdbc.PostgresStore;
import dev.semel.testservices.PostgresService;
import dev.semel.testservices.SharedServices;
import dev.semel.testservices.TestDatabase;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

@ExtendWith(SharedServices.class)
class InboxPartitionCommandTest {
  @TempDir Path folder;

  private Cli.Result call(String url, String... words) {
    return new Cli(folder).with("SEMEL_STORE", url).call(words);
  }

  @Test
  @Tag("service")
  void anInboxIsPartitionedOnceAndLookedAfterFromThenOn(PostgresService postgres) {
    String url = postgres.freshDatabase().url();
    Cli.Result first = call(url, "inbox", "partition", "--keep", "30d", "-y", "-o", "json");
    assertThat(first.code()).as(first.err()).isEqualTo(ExitCode.OK);
    assertThat(first.out().strip()).isEqualTo("{\"created\":8,\"dropped\":0}");
    Cli.Result again = call(url, "inbox", "partition", "--keep", "30d", "-y");
    assertThat(again.out()).isEqualTo("0 partitions made, 0 dropped; no message is refused yet\n");
    Cli.Result other = call(url, "inbox", "partition", "--keep", "30d", "--width", "6h", "-y");
    assertThat(other.code()).isEqualTo(ExitCode.USAGE);
    assertThat(other.err()).contains("use the width it has");
    assertThat(call(url, "inbox", "status").code()).isEqualTo(ExitCode.OK);
    assertThat(call(url, "doctor", "-o", "plain").out()).contains("ok\tinbox\t");
  }

  @Test
  @Tag("service")
  void byHandItIsTheSame(PostgresService postgres) throws SQLException {
    TestDatabase database = postgres.freshDatabase();
    PostgresStore.open(database.dataSource()).close();
    Cli.Result sql = call(database.url(), "inbox", "ddl", "--partitioned");
    try (Connection connection = database.dataSource().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(sql.out());
    }
    Cli.Result made = call(database.url(), "inbox", "partition", "--keep", "2d", "-y");
    assertThat(made.out()).startsWith("8 partitions made");
  }

  @Test
  void whereNothingCanBePartitionedThatIsSaid() {
    String url = "sqlite:" + folder.resolve("shop.db");
    Cli.Result refused = call(url, "inbox", "partition", "--keep", "30d", "-y");
    assertThat(refused.code()).isEqualTo(ExitCode.USAGE);
    assertThat(refused.err()).contains("only an inbox on PostgreSQL");
    assertThat(call(url, "inbox", "ddl", "--partitioned").code()).isEqualTo(ExitCode.USAGE);
    assertThat(call(url, "inbox", "partition", "--keep", "1h", "-y").code())
        .isEqualTo(ExitCode.USAGE);
    assertThat(call(url, "inbox", "ddl").out()).contains("CREATE TABLE semel_inbox");
  }
}
