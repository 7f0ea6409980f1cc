package dev.semel.cli.operate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.cli.Cli;
import dev.semel.cli.ExitCode;
import dev.semel.cli.OutputFormat;
import dev.semel.cli.Shop;
import dev.semel.json.JsonValue;
import dev.semel.json.JsonValue.JsonArray;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DoctorCommandTest {
  @TempDir Path folder;
  private Cli cli;
  private Path file;

  @BeforeEach
  void start() {
    cli = new Cli(folder);
    file = folder.resolve("shop.db");
  }

  private Cli.Result doctor(String... format) {
    String[] words = {"doctor", "--database", "sqlite:shop.db", "-o", "plain"};
    if (format.length > 0) {
      words[4] = format[0];
    }
    return cli.call(words);
  }

  @Test
  void whatIsWellIsSaidLineByLine() throws SQLException {
    try (Shop shop = Shop.open(file)) {
      shop.order("sent").publish().handle("ledger", "sent");
    }
    Cli.Result well = doctor();
    assertThat(well.code()).isZero();
    assertThat(well.out().lines())
        .allMatch(line -> line.startsWith("ok\t"))
        .extracting(line -> line.split("\t", -1)[1])
        .containsExactly(
            "store", "latency", "disk", "schema", "set-up", "clock", "outbox", "inbox");
    assertThat(well.out()).contains("1 ids of 1 consumers");
    assertThat(doctor("table").out()).contains("ok       clock   this machine is");
    assertThat(doctor("json").json().get("ok")).contains(JsonValue.of(true));
    assertThat(((JsonArray) doctor("json").json().get("checks").orElseThrow()).items()).hasSize(8);
    assertThat(doctor("jsonl").out()).hasLineCount(8);
  }

  @Test
  void whatWaitsInVainIsWarnedOf() throws SQLException {
    try (Shop shop = Shop.before(file, Duration.ofMinutes(6))) {
      shop.order("dead").bury("too large").order("waits").doubt("mailer", "greeting");
    }
    Cli.Result ill = doctor();
    assertThat(ill.code()).isEqualTo(ExitCode.FAILED);
    assertThat(ill.out().lines())
        .anyMatch(line -> line.startsWith("warning\toutbox\tthe oldest message has waited for 6m"))
        .contains("warning\toutbox\t1 wait and no relay is running: start one")
        .anyMatch(line -> line.startsWith("warning\toutbox\t1 could not be sent"))
        .anyMatch(line -> line.startsWith("warning\tinbox\t1 messages of mailer were started"));
    assertThat(doctor("json").json().get("ok")).contains(JsonValue.of(false));
  }

  @Test
  void tablesThatAreBehindAreSaidAndLeftAlone() throws SQLException {
    try (Shop shop = Shop.open(file)) {
      shop.order("waits");
    }
    try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
        Statement statement = connection.createStatement()) {
      statement.execute("DELETE FROM semel_schema");
      statement.execute("INSERT INTO semel_schema (version) VALUES (3)");
      Cli.Result pending = doctor();
      assertThat(pending.code()).isEqualTo(ExitCode.FAILED);
      assertThat(pending.out())
          .contains("problem\tstore\t", "tables of version 3", "an upgrade is pending");
      try (ResultSet rs = statement.executeQuery("SELECT version FROM semel_schema")) {
        assertThat(rs.getInt(1)).isEqualTo(3);
      }
    }
  }

  @Test
  void aFreshMessageWithARelayIsNothingToWorryAbout() throws SQLException {
    try (Shop shop = Shop.open(file)) {
      shop.order("waits").relay();
      assertThat(doctor().out()).contains("ok\toutbox\t1 wait, 1 relays\n");
    }
  }

  @Test
  void nothingIsCreated() throws IOException {
    assertThat(doctor().code()).isEqualTo(ExitCode.USAGE);
    assertThat(cli.call("doctor").code()).isEqualTo(ExitCode.USAGE);
    assertThat(file).doesNotExist();
    Files.createFile(file);
    Cli.Result empty = doctor();
    assertThat(empty.code()).isEqualTo(ExitCode.FAILED);
    assertThat(empty.out()).startsWith("problem\tstore\t").contains("no semel tables");
  }

  @Test
  void aStoreThatIsAwayIsAFindingWithoutItsPassword() {
    Cli.Result away = cli.call("doctor", "--store", "mariadb://u:secret@127.0.0.1:1/d");
    assertThat(away.code()).isEqualTo(ExitCode.FAILED);
    assertThat(away.out()).startsWith("problem  store").contains("127.0.0.1");
    assertThat(away.out() + away.err()).doesNotContain("secret");
  }

  @Test
  void aSlowStoreIsWarnedOfAndAFarTooSlowOneIsAProblem() {
    DoctorReport checkup = new DoctorReport();
    StoreChecks.latency(Duration.ofMillis(50), Duration.ofSeconds(9), checkup);
    StoreChecks.latency(Duration.ofMillis(51), Duration.ofSeconds(9), checkup);
    StoreChecks.latency(Duration.ofMillis(1001), Duration.ofSeconds(9), checkup);
    assertThat(checkup.lines(OutputFormat.PLAIN))
        .satisfiesExactly(
            line ->
                assertThat(line)
                    .isEqualTo("ok\tlatency\thalf of 21 reads took 50.0 ms, the slowest 9000.0 ms"),
            line -> assertThat(line).startsWith("warning\tlatency\t"),
            line ->
                assertThat(line)
                    .startsWith("problem\tlatency\t")
                    .contains("look at the way there"));
  }

  @Test
  void aDiskThatFillsUpIsWarnedOfInTime() {
    DoctorReport checkup = new DoctorReport();
    StoreChecks.disk("disk", 1L << 30, checkup);
    StoreChecks.disk("disk", (1L << 30) - 1, checkup);
    StoreChecks.disk("disk", (100L << 20) - 1, checkup);
    assertThat(checkup.lines(OutputFormat.PLAIN))
        .satisfiesExactly(
            line -> assertThat(line).isEqualTo("ok\tdisk\t1 GiB are free"),
            line -> assertThat(line).startsWith("warning\tdisk\t"),
            line -> assertThat(line).startsWith("problem\tdisk\t").contains("make room"));
    assertThat(checkup.well()).isFalse();
  }

  @Test
  void otherStoresHaveNoOutbox() {
    Cli.Result memory = cli.call("doctor", "--store", "memory:", "-o", "plain");
    assertThat(memory.out()).contains("\tstore\t", "\tclock\t").doesNotContain("outbox", "inbox");
  }
}
