package dev.semel.cli.operate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Key;
import dev.semel.Token;
import dev.semel.cli.Cli;
import dev.semel.cli.ExitCode;
import dev.semel.cli.Records;
import dev.semel.cli.Shop;
import dev.semel.json.Json;
import dev.semel.json.JsonValue;
import dev.semel.json.JsonValue.JsonArray;
import dev.semel.json.JsonValue.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AlertsCommandTest {
  @TempDir Path folder;
  private Cli cli;

  @BeforeEach
  void start() {
    cli = new Cli(folder);
  }

  private void lateMessage() throws SQLException {
    try (Shop shop = Shop.before(folder.resolve("shop.db"), Duration.ofMinutes(6))) {
      shop.order("waits");
    }
  }

  private Cli.Result alerts(String... more) {
    String[] words = new String[more.length + 3];
    words[0] = "alerts";
    words[1] = "--database";
    words[2] = "sqlite:shop.db";
    System.arraycopy(more, 0, words, 3, more.length);
    return cli.call(words);
  }

  @Test
  void withoutTroubleThereIsNothingToSay() {
    Cli.Result calm = cli.call("alerts");
    assertThat(calm.code()).isZero();
    assertThat(calm.out()).isEqualTo("nothing is beyond its limit\n");
    assertThat(cli.call("alerts", "-o", "json").out())
        .isEqualTo("{\"firing\":false,\"alerts\":[]}\n");
    assertThat(cli.call("alerts", "-o", "jsonl").out()).isEmpty();
    assertThat(cli.call("alerts", "-o", "plain").out()).isEmpty();
  }

  @Test
  void whatFiresIsShownWithWhatToDo() throws SQLException {
    lateMessage();
    Cli.Result table = alerts();
    assertThat(table.code()).isEqualTo(ExitCode.FAILED);
    assertThat(table.out().lines())
        .anyMatch(line -> line.matches("STATE +SEVERITY +ALERT +SUBJECT +SINCE +SEEN +LIMIT"))
        .anyMatch(line -> line.matches("firing +critical +outbox-lag +orders +\\S+Z +6m\\S* +5m"))
        .anyMatch(line -> line.startsWith("outbox-lag: the oldest message of the outbox"))
        .anyMatch(line -> line.contains("semel outbox status"))
        .anyMatch(line -> line.equals("  docs/runbooks/outbox-lag.md"));
    assertThat(alerts("-o", "plain").out()).startsWith("firing\tcritical\toutbox-lag\torders\t");
    JsonObject json = alerts("-o", "json").json();
    assertThat(json.get("firing")).contains(JsonValue.of(true));
    JsonObject alert =
        (JsonObject) ((JsonArray) json.get("alerts").orElseThrow()).items().getFirst();
    assertThat(alert.get("alert")).contains(JsonValue.of("outbox-lag"));
    assertThat(alert.get("state")).contains(JsonValue.of("firing"));
    assertThat(alert.get("limit")).contains(JsonValue.of(300));
    assertThat(((JsonObject) Json.parse(alerts("-o", "jsonl").out().strip())).members().keySet())
        .containsExactly(
            "id",
            "alert",
            "subject",
            "state",
            "severity",
            "began",
            "since",
            "seen",
            "limit",
            "unit",
            "text",
            "advice",
            "runbook");
  }

  @Test
  void limitsComeFromFlagsVariablesAndTheFile() throws SQLException, IOException {
    lateMessage();
    assertThat(alerts("--alert", "outbox-lag=10m").code()).isZero();
    assertThat(alerts("--alert", "outbox-lag=off", "--alert", "memory=90%").code()).isZero();
    cli.with("SEMEL_SERVE_ALERT", "outbox-lag=1h memory=off");
    assertThat(alerts().code()).isZero();
    assertThat(alerts("--alert", "outbox-lag=1m").code()).isEqualTo(ExitCode.FAILED);
    cli.with("SEMEL_SERVE_ALERT", "");
    Files.writeString(folder.resolve("semel.yaml"), "serve.alert: outbox-lag=1h\n");
    assertThat(alerts().code()).isZero();
    assertThat(cli.call("config", "show", "-o", "plain").out())
        .contains("serve.alert\toutbox-lag=1h\t");
  }

  @Test
  void whatMakesNoSenseIsRefused() {
    Cli.Result refused = cli.call("alerts", "--alert", "lag=1m");
    assertThat(refused.code()).isEqualTo(ExitCode.USAGE);
    assertThat(refused.err()).contains("outbox-lag");
    Cli.Result served = cli.call("serve", "--port", "0", "--alert", "lag=1m");
    assertThat(served.code()).isEqualTo(ExitCode.USAGE);
    assertThat(served.err()).contains("outbox-lag");
  }

  @Test
  void recordsThatShouldBeGoneAreFoundInTheStoreItself() {
    for (int i = 0; i < 12; i++) {
      Token unused =
          Records.claimed(
              cli.database(), Key.of("old", "k" + i), Duration.ofHours(2), Duration.ofHours(1));
    }
    assertThat(cli.call("alerts", "--alert", "expiry-backlog=10", "-o", "plain").out())
        .startsWith("firing\twarning\texpiry-backlog\t\t");
    assertThat(cli.call("alerts").code()).isZero();
  }

  @Test
  void allLimitsAreShownOnDemand() {
    assertThat(cli.call("alerts", "--all", "--alert", "memory=off").out().lines())
        .anyMatch(line -> line.matches("outbox-lag +5m +0s +4m +1m"))
        .anyMatch(line -> line.matches("memory +off +- +- +-"));
    assertThat(cli.call("alerts", "--all", "-o", "json").out()).contains("\"limits\":[{");
  }

  @Test
  void aStoreThatIsAwayIsNoAlertButUnreachable() {
    Cli.Result away = cli.call("alerts", "--store", "mariadb://u:s3cret@127.0.0.1:1/d");
    assertThat(away.code()).isEqualTo(ExitCode.UNREACHABLE);
    assertThat(away.out() + away.err()).doesNotContain("s3cret");
  }

  @Test
  void aWebhooksAddressAndSecretAreNeverShown() throws IOException {
    Files.writeString(
        folder.resolve("semel.yaml"),
        "serve.webhook: https://hooks.example/T0/s3cret\nserve.webhook-secret: secret.txt\n");
    Files.writeString(folder.resolve("secret.txt"), "s3cret");
    assertThat(cli.call("config", "show").out()).doesNotContain("s3cret");
    Cli.Result refused = cli.call("serve", "--store", "memory:", "--port", "0");
    assertThat(refused.code()).isEqualTo(ExitCode.USAGE);
    assertThat(refused.err()).contains("too short").doesNotContain("s3cret");
  }
}
