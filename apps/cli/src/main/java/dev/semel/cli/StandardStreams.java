package dev.semel.cli;

import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/**
 * A process's three streams, and which of them are a terminal. All text is UTF-8.
 *
 * @param terminals holds the number of each stream that is a terminal: {@code 0}, {@code 1}, {@code
 *     2}
 */
public record StandardStreams(InputStream in, PrintStream out, PrintStream err, String terminals) {
  /** Set by the launcher, which can detect terminals; without it, no stream counts as one. */
  private static final String TERMINALS = "semel.terminals";

  static StandardStreams ofProcess() {
    return new StandardStreams(
        System.in,
        print(FileDescriptor.out),
        print(FileDescriptor.err),
        System.getProperty(TERMINALS, ""));
  }

  private static PrintStream print(FileDescriptor descriptor) {
    return new PrintStream(
        new BufferedOutputStream(new FileOutputStream(descriptor)), false, StandardCharsets.UTF_8);
  }

  public boolean inIsTerminal() {
    return terminals.contains("0");
  }

  public boolean outIsTerminal() {
    return terminals.contains("1");
  }

  public boolean errIsTerminal() {
    return terminals.contains("2");
  }

  public void flush() {
    out.flush();
    err.flush();
  }
}
