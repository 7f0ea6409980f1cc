package dev.semel.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.json.JsonValue;
import dev.semel.json.JsonValue.JsonObject;

/** A demo that was played, as JSON. */
record Played(Cli.Result result) {
  /** How often it took effect on either side, by the count of where it did. */
  void took(String effects, int without, int with) {
    assertThat(result.err()).doesNotContain("semel: ", "Exception");
    assertThat(result.code()).isZero();
    took(result.json(), effects, without, with);
  }

  /** The same of one demo's part of a document. */
  static void took(JsonObject story, String effects, int without, int with) {
    assertThat(side(story, "without").get(effects)).contains(JsonValue.of(without));
    assertThat(side(story, "with").get(effects)).contains(JsonValue.of(with));
  }

  private static JsonObject side(JsonObject story, String name) {
    return (JsonObject) story.get(name).orElseThrow();
  }
}
