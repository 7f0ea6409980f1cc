package dev.semel.cli;

import dev.semel.json.Json;

/**
 * So many of something.
 *
 * @param one what one of them is called
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

  /** Asks before a change that touches them; what touches nothing needs no answer. */
  public boolean declined(SemelCommand semel, String touched, boolean yes) {
    return count > 0 && semel.console().declined(touched, yes);
  }

  /**
   * Tells as a command's result what was done with them.
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
