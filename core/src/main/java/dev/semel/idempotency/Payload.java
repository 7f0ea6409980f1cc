package dev.semel.idempotency;

import dev.semel.InvalidInput;
import java.util.Arrays;

/** A stored response: bytes, and the name of their format. */
@SuppressWarnings("ArrayRecordComponent") // equals, hashCode and toString are defined below
public record Payload(String type, byte[] bytes) {
  /** Longest type name, in bytes of ASCII. */
  public static final int MAX_TYPE_LENGTH = 100;

  public static final Payload EMPTY = new Payload("", new byte[0]);

  public Payload {
    if (type.length() > MAX_TYPE_LENGTH || !isPrintableAscii(type)) {
      throw new InvalidInput(
          "a payload's type is at most %d printable ASCII characters".formatted(MAX_TYPE_LENGTH));
    }
  }

  private static boolean isPrintableAscii(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) < ' ' || text.charAt(i) > '~') {
        return false;
      }
    }
    return true;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Payload p && type.equals(p.type) && Arrays.equals(bytes, p.bytes);
  }

  @Override
  public int hashCode() {
    return 31 * type.hashCode() + Arrays.hashCode(bytes);
  }

  /** Never shows the bytes: a log must not hold them. */
  @Override
  public String toString() {
    return "Payload[" + type + ", " + bytes.length + " bytes]";
  }
}
