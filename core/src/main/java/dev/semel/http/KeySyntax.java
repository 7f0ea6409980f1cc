package dev.semel.http;

import dev.semel.InvalidInput;
import dev.semel.internal.PrintableText;

/** How clients write the key in its header. */
public enum KeySyntax {
  /** With or without quotation marks; both name the same key. */
  LENIENT,
  /** A string by RFC 8941, in quotation marks, as the IETF's draft requires. */
  STRICT;

  /** Longest key in a header, in characters. */
  public static final int MAX_LENGTH = 255;

  /**
   * The key that a header line names.
   *
   * @throws InvalidInput it is not one; the message says what to send
   */
  public String parse(String header) {
    String text = header.strip();
    boolean quoted = text.startsWith("\"");
    if (!quoted && this == STRICT) {
      throw invalid(text, "write it in quotation marks, such as \"8e03978e-40d5\"");
    }
    String key = quoted ? unquote(text) : text;
    if (key.isEmpty()) {
      throw new InvalidInput("the key is empty: send a new UUID for each thing to be done once");
    }
    if (key.length() > MAX_LENGTH) {
      throw new InvalidInput(
          "the key has %d characters and the limit is %d: send a UUID"
              .formatted(key.length(), MAX_LENGTH));
    }
    for (int i = 0; i < key.length(); i++) {
      if (key.charAt(i) < ' ' || key.charAt(i) > '~') {
        throw invalid(key, "use printable ASCII characters only");
      }
    }
    if (!quoted && key.indexOf(',') >= 0) {
      throw invalid(key, "send one key; one with a comma goes in quotation marks");
    }
    return key;
  }

  private static String unquote(String text) {
    StringBuilder key = new StringBuilder(text.length());
    for (int i = 1; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"') {
        if (i + 1 < text.length()) {
          throw invalid(text, "nothing may follow the closing quotation mark");
        }
        return key.toString();
      }
      if (c == '\\') {
        i++;
        if (i == text.length() || (text.charAt(i) != '"' && text.charAt(i) != '\\')) {
          throw invalid(text, "a backslash stands only before a quotation mark or a backslash");
        }
        c = text.charAt(i);
      }
      key.append(c);
    }
    throw invalid(text, "the closing quotation mark is missing");
  }

  private static InvalidInput invalid(String text, String advice) {
    return new InvalidInput(
        "the key %s is not valid: %s".formatted(PrintableText.quoted(text), advice));
  }

  /** Writes a key so that {@link #parse} reads the same key. */
  public String write(String key) {
    return this == LENIENT && isBare(key)
        ? key
        : '"' + key.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
  }

  private static boolean isBare(String key) {
    return !key.startsWith("\"") && key.indexOf(',') < 0 && key.strip().equals(key);
  }
}
