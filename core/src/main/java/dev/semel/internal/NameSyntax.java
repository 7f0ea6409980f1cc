package dev.semel.internal;

import dev.semel.InvalidInput;

/** The alphabet of tenants and operations, chosen so that a key's text form is unambiguous. */
public final class NameSyntax {
  static final int MAX_LENGTH = 64;

  private NameSyntax() {}

  public static String check(String kind, String name) {
    if (!valid(name)) {
      throw new InvalidInput(
          "%s %s is not valid: use 1 to %d letters, digits, dots, underscores or hyphens"
              .formatted(kind, PrintableText.quoted(name), MAX_LENGTH));
    }
    return name;
  }

  /** A loop instead of a pattern, because every request makes a key. */
  private static boolean valid(String name) {
    for (int i = 0; i < name.length(); i++) {
      char c = name.charAt(i);
      boolean allowed =
          (c >= 'a' && c <= 'z')
              || (c >= 'A' && c <= 'Z')
              || (c >= '0' && c <= '9')
              || c == '.'
              || c == '_'
              || c == '-';
      if (!allowed) {
        return false;
      }
    }
    return !name.isEmpty() && name.length() <= MAX_LENGTH;
  }
}
