package dev.semel;

import java.util.regex.Pattern;

/** The one alphabet that tenants and operations share, so that a key's text form is unambiguous. */
final class Names {
  static final int MAX_LENGTH = 64;
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._-]{1," + MAX_LENGTH + "}");

  private Names() {}

  static String check(String kind, String name) {
    if (!NAME.matcher(name).matches()) {
      throw new InvalidInput(
          "%s %s is not valid: use 1 to %d letters, digits, dots, underscores or hyphens"
              .formatted(kind, Printable.quoted(name), MAX_LENGTH));
    }
    return name;
  }
}
