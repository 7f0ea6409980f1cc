package dev.semel.server.subscription.internal.rules;

import java.security.SecureRandom;
import java.util.HexFormat;

/** What rules leave to chance. */
public interface RandomSource {
  /** An id that no other wake has or will have. */
  String wakeId();

  /** From -1 up to but without 1. */
  double jitter();

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
      public double jitter() {
        return random.nextDouble() * 2 - 1;
      }
    };
  }
}
