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

/** Speaks to whoever started the command: results to one stream, everything else to the other. */
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

  /** One line of the result. */
  public void line(String line) {
    streams.out().println(line);
  }

  /** Names and values, each a line: in columns for people, between tabs for scripts. */
  public void pairs(Map<String, String> pairs, OutputFormat format) {
    int width = pairs.keySet().stream().mapToInt(String::length).max().orElse(0);
    pairs.forEach(
        (name, value) ->
            line(
                format == OutputFormat.PLAIN
                    ? name.replace(' ', '_') + "\t" + value
                    : name + " ".repeat(width - name.length() + 2) + value));
  }

  /** Something to know that is not the result; {@code -q} keeps it back. */
  public void note(String text) {
    if (!quiet) {
      complain(text);
    }
  }

  /** Something that must be known. */
  public void complain(String text) {
    streams.out().flush();
    streams.err().println("semel: " + printable(text));
    streams.err().flush();
  }

  public int notFound(Key key) {
    complain("there is no key " + key + " in this store, or its retention has ended");
    return ExitCode.NOT_FOUND;
  }

  /** Where work stands, on a line that the next call overwrites; only for someone who watches. */
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
   * @param touched what it would touch, as a sentence
   * @throws InvalidInput when nobody is there to answer
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

  /** The same for a command that ends well if it is not to be done. */
  public boolean declined(String touched, boolean yes) {
    if (confirm(touched, yes)) {
      return false;
    }
    note("nothing was done");
    return true;
  }

  /** The same for what loses nothing that anyone is told of: without someone to ask, it is done. */
  public boolean confirmIfAsked(String touched, boolean yes) {
    return confirm(touched, yes || !streams.inIsTerminal());
  }

  /** A driver's message may quote anything; only our own line ends are meant as such. */
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
