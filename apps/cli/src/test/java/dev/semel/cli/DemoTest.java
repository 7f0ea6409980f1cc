package dev.semel.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.json.Json;
import dev.semel.json.JsonValue;
import dev.semel.json.JsonValue.JsonArray;
import dev.semel.json.JsonValue.JsonObject;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DemoTest {
  private static final List<String> HELP_LISTS =
      List.of("double-click", "retry-storm", "webhooks", "cron-overlap", "zombie", "outbox-crash");

  /** All demos, played once: standard output has the document, standard error has the story. */
  private static Cli.Result all;

  @TempDir Path folder;

  @BeforeAll
  static void playAll(@TempDir Path place) {
    all = new Cli(place).call("demo", "-o", "json");
  }

  private static JsonObject document(String demo) {
    return ((JsonArray) all.json().get("demos").orElseThrow())
        .items().stream()
            .map(JsonObject.class::cast)
            .filter(each -> each.get("demo").orElseThrow().equals(JsonValue.of(demo)))
            .findFirst()
            .orElseThrow();
  }

  @Test
  void customerIsChargedAgainAndAgainWithoutAndOnceWith() {
    JsonObject story = document("double-click");

    assertThat(((JsonObject) story.get("without").orElseThrow()).get("charges"))
        .contains(JsonValue.of(4));
    assertThat(((JsonObject) story.get("with").orElseThrow()).get("charges"))
        .contains(JsonValue.of(1));
    assertThat(((JsonObject) story.get("with").orElseThrow()).get("cents"))
        .contains(JsonValue.of(4990));
  }

  @Test
  void messageOfAKilledShopIsLostOrDoubledWithoutAndTakesEffectOnceWith() {
    JsonObject story = document("outbox-crash");

    assertThat(story.get("without"))
        .contains(Json.object().with("orders", 1).with("messages", 2).with("effects", 2).build());
    assertThat(story.get("with"))
        .contains(Json.object().with("orders", 1).with("messages", 2).with("effects", 1).build());
    assertThat(Json.write(story))
        .contains("1 order, 0 sent, 1 in the outbox")
        .contains("the relay: 1 sent, 1 in the outbox")
        .contains("the relay: 2 sent, 0 in the outbox")
        .contains("1 parcel, 1 dropped");
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource({
    "retry-storm, files, 5, 1",
    "webhooks, licences, 3, 1",
    "cron-overlap, reports, 5, 2",
    "zombie, charges, 2, 1",
  })
  void effectsAreCountedWhereTheyHappen(String story, String effects, int without, int with) {
    Played.took(document(story), effects, without, with);
    Cli.Result inMemory = new Cli(folder).call("demo", story, "--store", "memory:", "-o", "json");
    new Played(inMemory).took(effects, without, with);
    assertThat(told(inMemory.json()))
        .as("the same words each time")
        .isEqualTo(told(document(story)));
  }

  /** Removes random ids. */
  private static String told(JsonObject story) {
    return Json.write(story.get("steps").orElseThrow())
        .replaceAll("[0-9a-f]{8}-[0-9a-f-]{27}|hash_[0-9a-f]{32}", "…");
  }

  @Test
  void storyThatIsNotThereIsRefusedWithThoseThatAre() {
    Cli.Result result = new Cli(folder).call("demo", "tripl-click");
    assertThat(result.code()).isEqualTo(ExitCode.USAGE);
    assertThat(result.out()).isEmpty();
    for (String story : HELP_LISTS) {
      assertThat(result.err()).contains(story);
      assertThat(new Cli(folder).call("demo", "--help").out()).contains("  " + story + "  ");
    }
  }

  @Test
  void allOfThemAreOneDocument() {
    assertThat(all.code()).isZero();
    assertThat(((JsonArray) all.json().get("demos").orElseThrow()).items()).hasSize(6);
    assertThat(new Cli(folder).call("demo", "webhooks", "-o", "jsonl").out()).hasLineCount(1);
  }

  @Test
  void plainDemoListsAndTellsWhatThereIsWithin80Columns() {
    assertThat(all.err())
        .contains(
            "double-click", "without Semel", "with Semel", "in flight", "replayed", "mismatch")
        .contains("4 charges, 248.70 €", "1 charge, 49.90 €")
        .contains("1 order, 2 messages, 2 parcels", "1 order, 2 messages, 1 parcel\n")
        .contains("5 files, 5500 rows read", "1 file, 1500 rows read")
        .contains("3 licences", "1 licence\n")
        .contains("5 reports for 2 nights", "2 reports for 2 nights")
        .contains("2 charges, 400.00 €", "1 charge, 200.00 €", "fenced");
    assertThat(all.err().lines()).allMatch(line -> line.length() <= 80);
  }

  @Test
  void storyForPeopleIsTheOutput() {
    Cli.Result result = new Cli(folder).call("demo", "double-click");

    assertThat(result.code()).isZero();
    assertThat(result.err()).isEmpty();
    assertThat(result.out())
        .contains("without Semel", "with Semel", "4 charges, 248.70 €", "1 charge, 49.90 €")
        .contains("Try it yourself:");
    assertThat(result.out().lines()).allMatch(line -> line.length() <= 80);
  }

  @Test
  void nothingOfItIsLeftUnlessAStoreIsNamed() {
    Cli cli = new Cli(folder);
    cli.call("demo", "double-click");
    assertThat(cli.call("keys", "list", "-o", "jsonl").out()).isEmpty();

    cli.call("demo", "double-click", "--store", "sqlite:kept.db");
    assertThat(cli.call("keys", "list", "--store", "sqlite:kept.db", "-o", "plain").out().lines())
        .singleElement()
        .asString()
        .startsWith("default/demo:payment-");
  }

  @Test
  void callToBeCopiedHoldsNoPassword() {
    String told =
        new Cli(folder).call("demo", "double-click", "--store", "memory:?password=s3cret").out();

    assertThat(told).contains("semel run --key hello", " --store …").doesNotContain("s3cret");
  }
}
