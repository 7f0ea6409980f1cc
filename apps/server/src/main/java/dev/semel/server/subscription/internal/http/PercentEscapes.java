package dev.semel.server.subscription.internal.http;

import dev.semel.InvalidInput;
import dev.semel.PrintableText;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/** Percent escapes in addresses. A plus is a plus. */
final class PercentEscapes {
  private static final String PLAIN = "-_.!~*'()";

  private PercentEscapes() {}

  static String decode(String text) {
    if (text.indexOf('%') < 0) {
      return text;
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(text.length());
    byte[] in = text.getBytes(StandardCharsets.UTF_8);
    for (int i = 0; i < in.length; i++) {
      if (in[i] != '%') {
        bytes.write(in[i]);
        continue;
      }
      int high = i + 2 < in.length ? Character.digit(in[i + 1], 16) : -1;
      int low = i + 2 < in.length ? Character.digit(in[i + 2], 16) : -1;
      if (high < 0 || low < 0) {
        throw broken(text);
      }
      bytes.write(high << 4 | low);
      i += 2;
    }
    try {
      return StandardCharsets.UTF_8
          .newDecoder()
          .decode(ByteBuffer.wrap(bytes.toByteArray()))
          .toString();
    } catch (CharacterCodingException e) {
      throw broken(text);
    }
  }

  private static InvalidInput broken(String text) {
    return new InvalidInput(
        "%s has a broken escape: write bytes of UTF-8 as %%41"
            .formatted(PrintableText.quoted(text)));
  }

  /** As browsers encode a component. */
  static String encode(String text) {
    StringBuilder out = new StringBuilder(text.length());
    for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
      char c = (char) (b & 0xFF);
      if (c < 0x80 && (Character.isLetterOrDigit(c) || PLAIN.indexOf(c) >= 0)) {
        out.append(c);
      } else {
        out.append("%%%02X".formatted((int) c));
      }
    }
    return out.toString();
  }
}
