package dev.semel.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.json.JsonValue;
import dev.semel.json.JsonValue.JsonObject;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DemoTest {
  @TempDir Path folder;

  @Test
  void customerIsChargedAgainAndAgainWithoutAndOnceWith() {
    JsonObject story = new Cli(folder).call("demo", "double-click", "-o", "json").json();

    assertThat(((JsonObject) story.get("without").orElseThrow()).get("charges"))
        .contains(JsonValue.of(4));
    assertThat(((JsonObject) story.get("with").orElseThrow()).get("charges"))
        .contains(JsonValue.of(1));
    assertThat(((JsonObject) story.get("with").orElseThrow()).get("cents"))
        .contains(JsonValue.of(4990));
  }

  @Test
  void plainDemoListsAndRunsWhatThereIsWithin80Columns() {
    Cli.Result result = new Cli(folder).call("demo");

    assertThat(result.code()).isZero();
    assertThat(result.out())
        .contains(
            "double-click", "without Semel", "with Semel", "in flight", "replayed", "mismatch")
        .contains("4 charges, 248.70 €", "1 charge, 49.90 €");
    assertThat(result.out().lines()).allMatch(line -> line.length() <= 80);
  }

  @Test
  void nothingOfItIsLeftUnlessAStoreIsNamed() {
    Cli cli = new Cli(folder);
    cli.call("demo");
    assertThat(cli.call("keys", "list", "-o", "jsonl").out()).isEmpty();

    cli.call("demo", "--store", "sqlite:kept.db");
    assertThat(cli.call("keys", "list", "--store", "sqlite:kept.db", "-o", "plain").out().lines())
        .singleElement()
        .asString()
        .startsWith("default/demo:payment-");
  }
}
