package dev.semel.json.internal;

import dev.semel.InvalidInput;
import dev.semel.internal.PrintableText;

/** The reader's position, and its error messages. */
final class JsonCursor {
  /** Stands for the end of the input; NUL is never valid outside a string's escapes. */
  private static final char END = '\0';

  final String text;
  int at;

  JsonCursor(String text) {
    this.text = text;
  }

  void blanks() {
    while (peek() == ' ' || peek() == '\n' || peek() == '\r' || peek() == '\t') {
      at++;
    }
  }

  char peek() {
    return at < text.length() ? text.charAt(at) : END;
  }

  InvalidInput expected(String what) {
    String found =
        at < text.length()
            ? PrintableText.quoted(Character.toString(text.codePointAt(at)))
            : "the end of the input";
    return refused(at, "expected %s, found %s".formatted(what, found));
  }

  /** Lines and columns count from 1, columns in characters as an editor shows them. */
  InvalidInput refused(int where, String what) {
    String before = text.substring(0, where);
    long line = 1 + before.chars().filter(c -> c == '\n').count();
    int column = 1 + before.codePointCount(before.lastIndexOf('\n') + 1, where);
    return new InvalidInput(
        "not valid JSON at line %d, column %d: %s".formatted(line, column, what));
  }
}
