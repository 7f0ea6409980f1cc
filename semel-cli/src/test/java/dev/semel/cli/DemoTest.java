package dev.semel.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.json.Json;
import dev.semel.json.JsonValue;
import dev.semel.json.JsonValue.JsonArray;
import dev.semel.json.JsonValue.JsonObject;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class DemoTest {
  private static final List<String> HELP_LISTS =
      List.of("double-click", "retry-storm", "webhooks", "cron-overlap", "zombie", "outbox-crash");

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

  static Stream<Arguments> counts() {
    return Stream.of(
            Arguments.of("retry-storm", "files", 5, 1),
            Arguments.of("webhooks", "licences", 3, 1),
            Arguments.of("cron-overlap", "reports", 5, 2),
            Arguments.of("zombie", "charges", 2, 1))
        .flatMap(
            each ->
                Stream.of("sqlite:semel.db", "memory:")
                    .map(
                        store ->
                            Arguments.of(
                                Stream.concat(Stream.of(store), Stream.of(each.get())).toArray())));
  }

  @ParameterizedTest(name = "{1} on {0}")
  @MethodSource("counts")
  void effectsAreCountedWhereTheyHappen(
      String store, String story, String effects, int without, int with) {
    new Played(new Cli(folder).call("demo", story, "--store", store, "-o", "json"))
        .took(effects, without, with);
  }

  @Test
  void storyIsToldInTheSameWordsEachTime() {
    assertThat(told("retry-storm")).isEqualTo(told("retry-storm"));
    assertThat(told("zombie")).isEqualTo(told("zombie"));
  }

  /** All but the ids that are drawn for each time. */
  private String told(String story) {
    return new Cli(folder)
        .call("demo", story)
        .out()
        .replaceAll("[0-9a-f]{8}-[0-9a-f-]{27}|hash_[0-9a-f]{32}", "…");
  }

  @Test
  void storyThatIsNotThereIsRefusedWithThoseThatAre() {
    Cli.Result result = new Cli(folder).call("demo", "tripl-click");
    assertThat(result.code()).isEqualTo(Exit.USAGE);
    assertThat(result.out()).isEmpty();
    for (String story : HELP_LISTS) {
      assertThat(result.err()).contains(story);
      assertThat(new Cli(folder).call("demo", "--help").out()).contains("  " + story + "  ");
    }
  }

  @Test
  void allOfThemAreOneDocument() {
    JsonObject all = new Cli(folder).call("demo", "-o", "json").json();
    assertThat(((JsonArray) all.get("demos").orElseThrow()).items()).hasSize(6);
    assertThat(new Cli(folder).call("demo", "webhooks", "-o", "jsonl").out()).hasLineCount(1);
  }

  @Test
  void plainDemoListsAndRunsWhatThereIsWithin80Columns() {
    Cli.Result result = new Cli(folder).call("demo");

    assertThat(result.code()).isZero();
    assertThat(result.out())
        .contains(
            "double-click", "without Semel", "with Semel", "in flight", "replayed", "mismatch")
        .contains("4 charges, 248.70 €", "1 charge, 49.90 €")
        .contains("1 order, 2 messages, 2 parcels", "1 order, 2 messages, 1 parcel\n")
        .contains("5 files, 5500 rows read", "1 file, 1500 rows read")
        .contains("3 licences", "1 licence\n")
        .contains("5 reports for 2 nights", "2 reports for 2 nights")
        .contains("2 charges, 400.00 €", "1 charge, 200.00 €", "fenced");
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
