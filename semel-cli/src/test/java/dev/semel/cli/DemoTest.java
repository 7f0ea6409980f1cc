package dev.semel.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.json.Json;
import dev.semel.json.JsonValue;
import dev.semel.json.JsonValue.JsonArray;
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
  void messageOfAKilledShopIsLostOrDoubledWithoutAndTakesEffectOnceWith() {
    Cli.Result result = new Cli(folder).call("demo", "outbox-crash", "-o", "json");

    assertThat(result.code()).isZero();
    assertThat(result.json().get("without"))
        .contains(Json.object().with("orders", 1).with("messages", 2).with("effects", 2).build());
    assertThat(result.json().get("with"))
        .contains(Json.object().with("orders", 1).with("messages", 2).with("effects", 1).build());
    assertThat(Json.write(result.json()))
        .contains("1 order, 0 sent, 1 in the outbox")
        .contains("the relay: 1 sent, 1 in the outbox")
        .contains("the relay: 2 sent, 0 in the outbox")
        .contains("1 parcel, 1 dropped");
  }

  @Test
  void allOfThemAreOneDocument() {
    JsonObject all = new Cli(folder).call("demo", "-o", "json").json();
    assertThat(((JsonArray) all.get("demos").orElseThrow()).items()).hasSize(2);
    assertThat(new Cli(folder).call("demo", "-o", "jsonl").out()).hasLineCount(2);
  }

  @Test
  void plainDemoListsAndRunsWhatThereIsWithin80Columns() {
    Cli.Result result = new Cli(folder).call("demo");

    assertThat(result.code()).isZero();
    assertThat(result.out())
        .contains(
            "double-click", "without Semel", "with Semel", "in flight", "replayed", "mismatch")
        .contains("4 charges, 248.70 €", "1 charge, 49.90 €")
        .contains("1 order, 2 messages, 2 parcels", "1 order, 2 messages, 1 parcel\n");
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
