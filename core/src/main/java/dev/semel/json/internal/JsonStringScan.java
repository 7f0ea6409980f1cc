package dev.semel.json.internal;

import dev.semel.InvalidInput;

/** Finds the end of one string in bytes, and refuses invalid UTF-8 and invalid escapes. */
final class JsonStringScan {
  private JsonStringScan() {}

  /**
   * The position after the string's closing quotation mark.
   *
   * @param at the byte after the opening one
   */
  static int end(byte[] in, int at) {
    while (at < in.length) {
      byte b = in[at];
      if (b == '"') {
        return at + 1;
      }
      if (b == '\\') {
        at = escape(in, at);
      } else if (b >= ' ') {
        at++;
      } else if (b >= 0) {
        throw JsonScanner.expected(at, "an escape such as \\n");
      } else {
        at = beyondAscii(in, at);
      }
    }
    throw JsonScanner.expected(at, "a closing quotation mark");
  }

  private static int escape(byte[] in, int at) {
    int c = at + 1 < in.length ? in[at + 1] : -1;
    return switch (c) {
      case '"', '\\', '/', 'b', 'f', 'n', 'r', 't' -> at + 2;
      case 'u' -> unicode(in, at);
      default -> throw JsonScanner.expected(at + 1, "one of \" \\ / b f n r t u after a backslash");
    };
  }

  private static int unicode(byte[] in, int at) {
    char first = codeUnit(in, at + 2);
    if (!Character.isSurrogate(first)) {
      return at + 6;
    }
    boolean pair =
        at + 7 < in.length
            && in[at + 6] == '\\'
            && in[at + 7] == 'u'
            && Character.isSurrogatePair(first, codeUnit(in, at + 8));
    if (!pair) {
      throw JsonScanner.expected(at, "the escapes of a whole surrogate pair, found half of it");
    }
    return at + 12;
  }

  private static char codeUnit(byte[] in, int at) {
    int unit = 0;
    for (int i = at; i < at + 4; i++) {
      int digit = i < in.length && in[i] > 0 ? Character.digit(in[i], 16) : -1;
      if (digit < 0) {
        throw JsonScanner.expected(i, "four hexadecimal digits after \\u");
      }
      unit = unit << 4 | digit;
    }
    return (char) unit;
  }

  /** One character of two to four bytes, by the table of RFC 3629, section 4. */
  private static int beyondAscii(byte[] in, int at) {
    int lead = in[at] & 0xFF;
    if (lead >= 0xC2 && lead <= 0xDF) {
      return tail(in, at, 1, 0x80, 0xBF);
    }
    if (lead >= 0xE0 && lead <= 0xEF) {
      return tail(in, at, 2, lead == 0xE0 ? 0xA0 : 0x80, lead == 0xED ? 0x9F : 0xBF);
    }
    if (lead >= 0xF0 && lead <= 0xF4) {
      return tail(in, at, 3, lead == 0xF0 ? 0x90 : 0x80, lead == 0xF4 ? 0x8F : 0xBF);
    }
    throw broken(at);
  }

  /** The first byte after the lead has special limits, the others share theirs. */
  private static int tail(byte[] in, int at, int length, int low, int high) {
    for (int i = 1; i <= length; i++) {
      int b = at + i < in.length ? in[at + i] & 0xFF : -1;
      if (b < (i == 1 ? low : 0x80) || b > (i == 1 ? high : 0xBF)) {
        throw broken(at);
      }
    }
    return at + length + 1;
  }

  private static InvalidInput broken(int at) {
    return JsonScanner.expected(at, "UTF-8, found a byte that is none");
  }
}
