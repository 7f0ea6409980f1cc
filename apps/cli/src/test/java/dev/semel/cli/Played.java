package dev.semel.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.json.JsonValue;
import dev.semel.json.JsonValue.JsonObject;

/** The result of a demo, as JSON. */
record Played(Cli.Result result) {
  /** Checks the number of effects on either side, which the demo counted where they happened. */
  void took(String effects, int without, int with) {
    assertThat(result.err()).doesNotContain("semel: ", "Exception");
    assertThat(result.code()).isZero();
    took(result.json(), effects, without, with);
  }

  /** Checks one demo's part of a document. */
  static void took(JsonObject story, String effects, int without, int with) {
    assertThat(side(story, "without").get(effects)).contains(JsonValue.of(without));
    assertThat(side(story, "with").get(effects)).contains(JsonValue.of(with));
  }

  private static JsonObject side(JsonObject story, String name) {
    return (JsonObject) story.get(name).orElseThrow();
  }
}
