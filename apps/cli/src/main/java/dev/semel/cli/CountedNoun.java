package dev.semel.cli;

import dev.semel.json.Json;

/**
 * A number of things, for messages.
 *
 * @param one the noun for one of them
 */
public record CountedNoun(long count, String one) {
  public static CountedNoun messages(long count) {
    return new CountedNoun(count, "message");
  }

  public static CountedNoun ids(long count) {
    return new CountedNoun(count, "id");
  }

  public String text() {
    return "%,d %s".formatted(count, count == 1 ? one : one + "s");
  }

  /** Asks before a change of these things; a change of nothing needs no answer. */
  public boolean declined(SemelCommand semel, String touched, boolean yes) {
    return count > 0 && semel.console().declined(touched, yes);
  }

  /**
   * Prints as the command's result what it did with them.
   *
   * @param done such as {@code retried}
   */
  public int tell(SemelCommand semel, String done) {
    semel
        .console()
        .line(
            switch (semel.settings().output()) {
              case TABLE -> done + " " + text();
              case JSON, JSONL -> Json.object().with(done, count).write();
              case PLAIN -> Long.toString(count);
            });
    return ExitCode.OK;
  }
}
