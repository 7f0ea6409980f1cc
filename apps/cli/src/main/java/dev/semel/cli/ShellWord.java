package dev.semel.cli;

import dev.semel.internal.PrintableText;
import java.util.regex.Pattern;

/** Quotes text for a shell's command line. */
public final class ShellWord {
  private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9._:/@%+=,-]+");

  private ShellWord() {}

  public static String of(String text) {
    String safe = PrintableText.safe(text);
    return PLAIN.matcher(safe).matches() ? safe : "'" + safe.replace("'", "'\\''") + "'";
  }
}
