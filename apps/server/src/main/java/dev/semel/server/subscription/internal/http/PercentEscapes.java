package dev.semel.server.subscription.internal.http;

import java.nio.charset.StandardCharsets;

/** Percent escapes for the addresses that workers get. */
final class PercentEscapes {
  private static final String PLAIN = "-_.!~*'()";

  private PercentEscapes() {}

  /** Encodes as browsers encode a component. */
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
