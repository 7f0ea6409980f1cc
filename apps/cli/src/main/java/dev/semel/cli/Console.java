package dev.semel.cli;

import dev.semel.InvalidInput;
import dev.semel.Key;
import dev.semel.internal.PrintableText;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** The command's output: results on standard output, everything else on standard error. */
public final class Console {
  private final Environment around;
  private final StandardStreams streams;
  private boolean quiet;

  public Console(Environment around) {
    this.around = around;
    this.streams = around.streams();
  }

  void quiet(boolean quiet) {
    this.quiet = quiet;
  }

  public StandardStreams streams() {
    return streams;
  }

  /** Prints one line of the result. */
  public void line(String line) {
    streams.out().println(line);
  }

  /** Prints names and values, each a line: in columns for people, with tabs for scripts. */
  public void pairs(Map<String, String> pairs, OutputFormat format) {
    int width = pairs.keySet().stream().mapToInt(String::length).max().orElse(0);
    pairs.forEach(
        (name, value) ->
            line(
                format == OutputFormat.PLAIN
                    ? name.replace(' ', '_') + "\t" + value
                    : name + " ".repeat(width - name.length() + 2) + value));
  }

  /** Prints a note that is not the result; {@code -q} suppresses it. */
  public void note(String text) {
    if (!quiet) {
      complain(text);
    }
  }

  /** Prints a message that {@code -q} does not suppress. */
  public void complain(String text) {
    streams.out().flush();
    streams.err().println("semel: " + printable(text));
    streams.err().flush();
  }

  public int notFound(Key key) {
    complain("there is no key " + key + " in this store, or its retention has ended");
    return ExitCode.NOT_FOUND;
  }

  /** Shows progress on a line that the next call overwrites; only on a terminal. */
  public void progress(String text) {
    if (streams.errIsTerminal() && !quiet) {
      streams.err().print("\r\u001b[K" + text);
      streams.err().flush();
    }
  }

  public String bold(String text) {
    return styled("1", text);
  }

  public String dim(String text) {
    return styled("2", text);
  }

  public String red(String text) {
    return styled("31", text);
  }

  public String green(String text) {
    return styled("32", text);
  }

  private String styled(String code, String text) {
    return colour() ? "\u001b[" + code + "m" + text + "\u001b[0m" : text;
  }

  boolean colour() {
    return streams.outIsTerminal()
        && around.variable("NO_COLOR").isEmpty()
        && !around.variable("TERM").equals("dumb");
  }

  /**
   * Asks before something that can't be taken back.
   *
   * @param touched the change and its extent, as a sentence
   * @throws InvalidInput there is no terminal to ask on
   */
  public boolean confirm(String touched, boolean yes) {
    if (yes) {
      note(touched);
      return true;
    }
    if (!streams.inIsTerminal()) {
      throw new InvalidInput(
          touched
              + "\nNothing was done, since there is no terminal to ask on: add -y to go ahead.");
    }
    streams.err().print(printable(touched) + "\nGo ahead? [y/N] ");
    streams.err().flush();
    String answer = answer().strip().toLowerCase(Locale.ROOT);
    return answer.equals("y") || answer.equals("yes");
  }

  /** Asks, for a command that also succeeds if the answer is no. */
  public boolean declined(String touched, boolean yes) {
    if (confirm(touched, yes)) {
      return false;
    }
    note("nothing was done");
    return true;
  }

  /**
   * Asks before something that loses nothing anyone uses; without a terminal, the answer is yes.
   */
  public boolean confirmIfAsked(String touched, boolean yes) {
    return confirm(touched, yes || !streams.inIsTerminal());
  }

  /** A driver's message may quote anything; only its line breaks are kept. */
  private static String printable(String text) {
    return text.lines().map(PrintableText::safe).collect(Collectors.joining("\n"));
  }

  private String answer() {
    try {
      String line =
          new BufferedReader(new InputStreamReader(streams.in(), StandardCharsets.UTF_8))
              .readLine();
      return line == null ? "" : line;
    } catch (IOException e) {
      return "";
    }
  }
}
