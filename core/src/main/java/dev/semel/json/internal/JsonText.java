package dev.semel.json.internal;

/** Reads one string, from its opening to its closing quotation mark. */
final class JsonText {
  private JsonText() {}

  static String read(JsonCursor in) {
    in.at++;
    int start = in.at;
    StringBuilder unescaped = null;
    while (true) {
      char c = in.peek();
      if (c == '"') {
        String rest = in.text.substring(start, in.at);
        in.at++;
        return unescaped == null ? rest : unescaped.append(rest).toString();
      }
      if (c < ' ') {
        throw in.expected(
            in.at < in.text.length() ? "an escape such as \\n" : "a closing quotation mark");
      }
      if (c == '\\') {
        unescaped = unescaped == null ? new StringBuilder() : unescaped;
        unescaped.append(in.text, start, in.at);
        in.at++;
        escape(in, unescaped);
        start = in.at;
      } else {
        in.at++;
      }
    }
  }

  private static void escape(JsonCursor in, StringBuilder out) {
    char c = in.peek();
    switch (c) {
      case '"', '\\', '/' -> out.append(c);
      case 'b' -> out.append('\b');
      case 'f' -> out.append('\f');
      case 'n' -> out.append('\n');
      case 'r' -> out.append('\r');
      case 't' -> out.append('\t');
      case 'u' -> {
        in.at++;
        unicode(in, out);
        return;
      }
      default -> throw in.expected("one of \" \\ / b f n r t u after a backslash");
    }
    in.at++;
  }

  private static void unicode(JsonCursor in, StringBuilder out) {
    int start = in.at - 2;
    char first = codeUnit(in);
    out.append(first);
    if (Character.isSurrogate(first)) {
      if (!in.text.startsWith("\\u", in.at)) {
        throw in.refused(start, "expected the escapes of a whole surrogate pair, found half of it");
      }
      in.at += 2;
      char second = codeUnit(in);
      if (!Character.isSurrogatePair(first, second)) {
        throw in.refused(start, "expected the escapes of a whole surrogate pair, found half of it");
      }
      out.append(second);
    }
  }

  private static char codeUnit(JsonCursor in) {
    int unit = 0;
    for (int i = 0; i < 4; i++) {
      char c = in.peek();
      if (c > 'f' || Character.digit(c, 16) < 0) {
        throw in.expected("four hexadecimal digits after \\u");
      }
      unit = unit << 4 | Character.digit(c, 16);
      in.at++;
    }
    return (char) unit;
  }
}
