package dev.semel.server.http;

import dev.semel.InvalidInput;
import dev.semel.internal.PrintableText;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/** Decodes percent-encoding strictly: it refuses what could be read in two ways. */
final class PercentDecoding {
  private PercentDecoding() {}

  /**
   * @param plusIsBlank whether a plus is a blank, as in a query
   */
  static String decode(String text, boolean plusIsBlank) {
    if (isPlain(text, plusIsBlank)) {
      return text;
    }
    ByteBuffer bytes = ByteBuffer.allocate(text.length());
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '%') {
        bytes.put((byte) (hex(text, i + 1) << 4 | hex(text, i + 2)));
        i += 2;
      } else if (c <= ' ' || c > '~') {
        throw refused(text, "holds a character that must be percent-encoded");
      } else {
        bytes.put((byte) (plusIsBlank && c == '+' ? ' ' : c));
      }
    }
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(bytes.flip()).toString();
    } catch (CharacterCodingException e) {
      throw refused(text, "is not UTF-8 when decoded");
    }
  }

  private static boolean isPlain(String text, boolean plusIsBlank) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '%' || c <= ' ' || c > '~' || (plusIsBlank && c == '+')) {
        return false;
      }
    }
    return true;
  }

  private static int hex(String text, int at) {
    int digit =
        at < text.length() && text.charAt(at) < 128 ? Character.digit(text.charAt(at), 16) : -1;
    if (digit < 0) {
      throw refused(text, "holds a broken percent-encoding");
    }
    return digit;
  }

  private static InvalidInput refused(String text, String why) {
    return new InvalidInput(
        "%s %s: encode its UTF-8 bytes as %%XX".formatted(PrintableText.quoted(text), why));
  }
}
