package dev.semel.redis.internal;

import dev.semel.InvalidInput;
import dev.semel.Key;
import dev.semel.internal.PrintableText;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;

/**
 * Names of our Redis strings: {@code i9y:{tenant/operation:id}}. The braces make the whole key the
 * hash tag, so on a cluster a record and anything related to it share a slot.
 */
public final class RedisKey {
  static final String PREFIX = "i9y:{";
  private static final char SUFFIX = '}';

  /** The characters that SCAN's patterns treat specially. */
  private static final String GLOB = "*?[\\";

  private RedisKey() {}

  public static byte[] name(Key key) {
    return (PREFIX + key.text() + SUFFIX).getBytes(StandardCharsets.UTF_8);
  }

  /** Parses a name; empty: not one of ours. */
  static Optional<Key> key(byte[] name) {
    String text = new String(name, StandardCharsets.UTF_8);
    if (!text.startsWith(PREFIX) || text.charAt(text.length() - 1) != SUFFIX) {
      return Optional.empty();
    }
    try {
      Key key = Key.parse(text.substring(PREFIX.length(), text.length() - 1));
      return Arrays.equals(name(key), name) ? Optional.of(key) : Optional.empty();
    } catch (InvalidInput e) {
      return Optional.empty();
    }
  }

  /** A SCAN pattern for all keys whose text starts with this literal prefix. */
  static byte[] pattern(String prefix) {
    // Compares bytes: encoding turns an unpaired surrogate into a '?'.
    byte[] literal = (PREFIX + prefix).getBytes(StandardCharsets.UTF_8);
    ByteArrayOutputStream out = new ByteArrayOutputStream(literal.length + 8);
    for (byte b : literal) {
      if (GLOB.indexOf(b) >= 0) {
        out.write('\\');
      }
      out.write(b);
    }
    out.write('*');
    return out.toByteArray();
  }

  static String printable(byte[] name) {
    return PrintableText.quoted(new String(name, StandardCharsets.UTF_8));
  }
}
