package dev.semel.cli;

import dev.semel.InvalidInput;
import picocli.CommandLine.Option;

/** Options that select a page of a listing, and the notes beside it. */
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
   * The wanted number of entries.
   *
   * @param most limit of one page
   * @param more what to do for more, in words
   */
  public int limit(int most, String more) {
    if (limit < 1 || limit > most) {
      throw new InvalidInput("--limit is from 1 to %d: %s".formatted(most, more));
    }
    return limit;
  }

  /** The wanted number of entries, for listings that continue with a cursor. */
  public int limit(int most) {
    return limit(most, "use --cursor to go on");
  }

  public String cursor() {
    return cursor;
  }

  /**
   * Notes that there are more entries, or none, if the listing itself does not show it.
   *
   * @param next where the next page begins; empty: there is none
   * @param none the note if nothing was listed
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
