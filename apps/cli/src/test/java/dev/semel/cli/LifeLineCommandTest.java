package dev.semel.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.ExecutionOrigin;
import dev.semel.Key;
import dev.semel.Token;
import dev.semel.json.JsonValue;
import dev.semel.json.JsonValue.JsonArray;
import dev.semel.json.JsonValue.JsonObject;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LifeLineCommandTest {
  @TempDir Path folder;
  private Cli cli;

  @BeforeEach
  void start() {
    cli = new Cli(folder);
    cli.call("run", "--key", "job:1", "--", "true");
    cli.call("run", "--key", "job:1", "--", "true");
  }

  private static List<String> kinds(JsonObject inspected) {
    return ((JsonArray) inspected.get("life_line").orElseThrow())
        .items().stream()
            .map(
                moment ->
                    ((JsonObject) moment).get("source").orElseThrow()
                        + " "
                        + ((JsonObject) moment).get("kind").orElseThrow())
            .map(text -> text.replaceAll("JsonString\\[text=([^\\]]*)]", "$1"))
            .toList();
  }

  @Test
  void theTableEndsWithWhatWillBe() {
    List<String> lines = cli.call("keys", "inspect", "job:1", "--life-line").out().lines().toList();
    assertThat(lines)
        .anyMatch(line -> line.startsWith("state "))
        .anyMatch(line -> line.matches("WHEN +FROM +WHAT +WHO +DETAILS"))
        .anyMatch(line -> line.matches("\\S+Z +events +replayed +….{8} +.*age_ms=.*"));
    assertThat(lines.getLast()).matches("\\S+Z +record +expires");
    assertThat(cli.call("keys", "inspect", "job:1").out()).doesNotContain("WHEN");
  }

  @Test
  void programsGetAllMoments() {
    JsonObject inspected = cli.call("keys", "inspect", "job:1", "--life-line", "-o", "json").json();
    assertThat(inspected.get("state")).contains(JsonValue.of("completed"));
    assertThat(kinds(inspected))
        .contains("events claimed", "events completed", "events replayed", "record claimed")
        .endsWith("record stands", "record expires");
    assertThat(inspected.get("masked")).contains(JsonValue.of(false));
    assertThat(cli.call("keys", "inspect", "job:1", "--life-line", "-o", "plain").out().lines())
        .anyMatch(
            line ->
                line.matches("\\S+Z\tevents\tclaimed\t\\S+\tattempt=1 claimed_by=\\S+/\\d+@\\d+"));
  }

  @Test
  void messagesInTheApplicationsDatabaseBelongToIt() throws SQLException {
    Path shop = folder.resolve("shop.db");
    try (Shop opened = Shop.open(shop)) {
      Key key = Key.of("job", "1");
      ExecutionOrigin.of(key).<Shop, SQLException>call(() -> opened.order("order-1"));
    }
    assertThat(
            kinds(
                cli.call(
                        "keys",
                        "inspect",
                        "job:1",
                        "--life-line",
                        "--database",
                        "sqlite:shop.db",
                        "-o",
                        "json")
                    .json()))
        .contains("outbox pending");
    assertThat(kinds(cli.call("keys", "inspect", "job:1", "--life-line", "-o", "json").json()))
        .doesNotContain("outbox pending");
  }

  @Test
  void aKeyWhoseRecordIsGoneMayStillHaveAPast() {
    cli.call("keys", "delete", "job:1", "-y");
    assertThat(cli.call("keys", "inspect", "job:1").code()).isEqualTo(ExitCode.NOT_FOUND);
    Cli.Result past = cli.call("keys", "inspect", "job:1", "--life-line", "-o", "json");
    assertThat(past.code()).isZero();
    assertThat(kinds(past.json())).contains("events changed").doesNotContain("record stands");
    assertThat(cli.call("keys", "inspect", "job:2", "--life-line").code())
        .isEqualTo(ExitCode.NOT_FOUND);
  }

  @Test
  void aHolderThatWasNotHeardOfIsInDoubt() {
    Token unused = Records.claimed(cli.database(), Key.of("job", "old"), Duration.ofMinutes(5));
    assertThat(cli.call("keys", "inspect", "job:old", "--life-line", "-o", "plain").out().lines())
        .anyMatch(line -> line.contains("\trecord\tstands\t\tstate=in-doubt"))
        .anyMatch(line -> line.contains("\trecord\tlease-ended\t"));
  }
}
