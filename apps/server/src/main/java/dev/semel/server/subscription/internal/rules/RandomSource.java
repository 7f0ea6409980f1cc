package dev.semel.server.subscription.internal.rules;

import java.security.SecureRandom;
import java.util.HexFormat;

/** Random values for the rules. */
public interface RandomSource {
  /** An id that no other wake ever has. */
  String wakeId();

  /** A random number from 0 up to, but without, {@code bound}. */
  long random(long bound);

  static RandomSource secure() {
    SecureRandom random = new SecureRandom();
    return new RandomSource() {
      @Override
      public String wakeId() {
        byte[] bytes = new byte[12];
        random.nextBytes(bytes);
        return "w_" + HexFormat.of().formatHex(bytes);
      }

      @Override
      public long random(long bound) {
        return random.nextLong(bound);
      }
    };
  }
}
