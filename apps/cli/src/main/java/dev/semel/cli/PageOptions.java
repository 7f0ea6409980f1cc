package dev.semel.cli;

import dev.semel.InvalidInput;
import picocli.CommandLine.Option;

/** Which part of a listing is shown, and what is to be known beside it. */
public final class PageOptions {
  @Option(
      names = "--limit",
      paramLabel = "N",
      defaultValue = "100",
      description = "How many at most (default: ${DEFAULT-VALUE}).")
  private int limit = 100;

  @Option(
      names = "--cursor",
      paramLabel = "CURSOR",
      defaultValue = "",
      description = "Go on where the last page ended.")
  private String cursor = "";

  /**
   * How many are wanted.
   *
   * @param most that can be had at once
   * @param more what to do for more, in words
   */
  public int limit(int most, String more) {
    if (limit < 1 || limit > most) {
      throw new InvalidInput("--limit is from 1 to %d: %s".formatted(most, more));
    }
    return limit;
  }

  /** The same, where only a cursor leads on. */
  public int limit(int most) {
    return limit(most, "use --cursor to go on");
  }

  public String cursor() {
    return cursor;
  }

  /**
   * Says that there is more, and that there is nothing, where the listing itself does not.
   *
   * @param next where the next page begins; empty: there is none
   * @param none what is said if nothing was listed
   */
  public static void notes(SemelCommand semel, String next, boolean empty, String none) {
    OutputFormat format = semel.settings().output();
    if (!next.isEmpty() && format != OutputFormat.JSON) {
      semel.console().note("there are more: go on with --cursor " + ShellWord.of(next));
    }
    if (empty && format == OutputFormat.TABLE) {
      semel.console().note(none);
    }
  }
}
