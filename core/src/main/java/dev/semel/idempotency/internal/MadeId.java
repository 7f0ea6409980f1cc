package dev.semel.idempotency.internal;

import dev.semel.InvalidInput;
import dev.semel.internal.Ids;
import dev.semel.internal.PrintableText;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;

/**
 * Makes ids that are valid in every key. A name that is too long, or holds characters that a key
 * refuses, becomes a readable head, a tilde and a hash of the whole. A name that looks like that is
 * hashed too, so that no name can equal the shortened form of another.
 */
public final class MadeId {
  /** Fits into a key with any tenant and operation: 256 less twice 64 and two separators. */
  public static final int MAX_BYTES = 120;

  public static final int HASH_DIGITS = 32;

  private static final Pattern SHORTENED =
      Pattern.compile(".*~[0-9a-f]{" + HASH_DIGITS + "}", Pattern.DOTALL);

  private MadeId() {}

  /** The name, shortened if necessary, followed by the unchanged suffix. */
  public static String of(String name, String suffix) {
    if (name.isEmpty()) {
      throw new InvalidInput("the request gives an empty id: name what must happen once");
    }
    if (name.codePoints().anyMatch(c -> Character.getType(c) == Character.SURROGATE)) {
      throw new InvalidInput(
          "the id %s holds half of a surrogate pair: send whole characters"
              .formatted(PrintableText.quoted(name)));
    }
    int room = MAX_BYTES - utf8(suffix).length;
    return (fits(name, room) && !shortened(name) ? name : shorten(name, room)) + suffix;
  }

  /** Whether a strategy may have made this id, whatever its form. */
  public static boolean possible(String id) {
    return !id.isEmpty() && fits(id, MAX_BYTES);
  }

  private static boolean fits(String text, int room) {
    return utf8(text).length <= room && PrintableText.safe(text).equals(text);
  }

  public static boolean shortened(String name) {
    return SHORTENED.matcher(name).matches();
  }

  private static String shorten(String name, int room) {
    String tail = "~" + hash(utf8(name));
    StringBuilder head = new StringBuilder();
    int left = room - tail.length();
    for (int c : name.codePoints().limit(left).toArray()) {
      String shown = PrintableText.unsafe(c) ? "_" : Character.toString(c);
      left -= utf8(shown).length;
      if (left < 0) {
        break;
      }
      head.append(shown);
    }
    return head + tail;
  }

  /** 128 bits, so that no two collide by chance or by trying. */
  public static String hash(byte[] whole) {
    return Ids.sha256Hex(whole).substring(0, HASH_DIGITS);
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
