package dev.semel.cli.operate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.cli.Cli;
import dev.semel.cli.ExitCode;
import dev.semel.json.JsonValue;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AuditCommandTest {
  @TempDir Path folder;
  private Cli cli;

  @BeforeEach
  void start() {
    cli = new Cli(folder).with("USER", "ann");
    cli.call("run", "--key", "mail:bob@example.com", "--request-id", "req-7", "--", "true");
    cli.call("run", "--key", "mail:bob@example.com", "--request-id", "req-8", "--", "true");
    cli.call("run", "--key", "mail:eve@example.com", "--", "true");
  }

  @Test
  void eventsOfEarlierProcessesAreListed() {
    assertThat(cli.call("audit", "list").out().lines())
        .hasSize(5)
        .anyMatch(
            line -> line.matches("\\S+Z  replayed +default/mail:bob@example.com  attempt=1 .*"));
    assertThat(cli.call("audit", "list", "--limit", "1", "-o", "plain").out())
        .contains("\tcompleted\tdefault/mail:eve@example.com\t");
    assertThat(
            cli.call("audit", "list", "--key", "mail:eve@example.com", "-o", "jsonl").out().lines())
        .hasSize(2);
    assertThat(cli.call("audit", "list", "--kind", "replayed", "-o", "jsonl").out().lines())
        .singleElement()
        .asString()
        .contains("\"request\":\"req-8\"", "\"original_request\":\"req-7\"");
    assertThat(cli.call("audit", "list", "--all", "-o", "json").json().members())
        .containsOnlyKeys("events");
    assertThat(cli.call("audit", "list", "--mask").out()).doesNotContain("example", "req-7");
  }

  @Test
  void whatAnOperatorDoesIsListedToo() {
    cli.call("queues", "set", "mail", "lease=1m");
    cli.call("keys", "delete", "mail:eve@example.com", "-y");
    assertThat(cli.call("audit", "list", "--kind", "changed").out().lines())
        .anyMatch(
            line -> line.contains("actor=ann target=mail") && line.contains("change settings"))
        .anyMatch(line -> line.contains("delete key"));
  }

  @Test
  void anUntouchedLogIsIntact() {
    Cli.Result verified = cli.call("audit", "verify");
    assertThat(verified.out()).isEqualTo("intact: 5 events of 3 writers\n");
    assertThat(verified.code()).isEqualTo(ExitCode.OK);
    assertThat(cli.call("audit", "verify", "-o", "json").json().get("intact"))
        .contains(JsonValue.of(true));
  }

  @ParameterizedTest
  @CsvSource({
    "UPDATE semel_event SET details = '{}' WHERE position = 2, changed",
    "UPDATE semel_event SET id = 'joe' WHERE position = 2, changed",
    "DELETE FROM semel_event WHERE position = 1, missing before",
    "DELETE FROM semel_event WHERE position = 2, missing after",
    "UPDATE semel_event SET position = 11 WHERE position = 1, not in its place",
  })
  void whatWasChangedRemovedOrMovedIsFound(String tampering, String said) throws SQLException {
    try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + cli.database());
        Statement statement = connection.createStatement()) {
      assertThat(statement.executeUpdate(tampering)).isEqualTo(1);
    }
    Cli.Result verified = cli.call("audit", "verify");
    assertThat(verified.code()).isEqualTo(ExitCode.CONFLICT);
    assertThat(verified.out()).contains(said, "NOT INTACT");
  }

  @Test
  void erasedIdsAreGoneAndTheLogIsStillIntact() {
    Cli.Result asked = cli.call("audit", "erase", "--key", "mail:bob@example.com");
    assertThat(asked.code()).isEqualTo(ExitCode.USAGE);
    assertThat(asked.err()).contains("3 events", "-y");
    Cli.Result erased = cli.call("audit", "erase", "--key", "mail:bob@example.com", "-y");
    assertThat(erased.out()).isEqualTo("erased the id from 3 events\n");
    assertThat(cli.call("audit", "list", "--all", "-o", "json").out())
        .doesNotContain("bob")
        .doesNotContain("req-7")
        .contains("\"erased\":true");
    assertThat(cli.call("audit", "verify").code()).isEqualTo(ExitCode.OK);
    assertThat(cli.call("audit", "erase", "--key", "mail:bob@example.com", "-y").code())
        .isEqualTo(ExitCode.NOT_FOUND);
  }
}
