package dev.semel.server.subscription.internal.rules;

import java.security.SecureRandom;
import java.util.HexFormat;

/** What rules leave to chance. */
public interface RandomSource {
  /** An id that no other wake has or will have. */
  String wakeId();

  /** At random, from 0 up to but without {@code bound}. */
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
