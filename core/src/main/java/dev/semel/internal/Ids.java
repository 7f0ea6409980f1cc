package dev.semel.internal;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;

/** Makes unique and deterministic ids. */
public final class Ids {
  /**
   * ThreadLocalRandom is fast but seeded only from clocks; this distinguishes two machines that
   * start at the same instant.
   */
  private static final long PROCESS_SALT = new SecureRandom().nextLong();

  private static final int VERSION_7 = 7;
  private static final int VERSION_8 = 8;

  private Ids() {}

  /** A new time-ordered UUID (version 7). Unique, not secret. */
  public static UUID uuid7() {
    ThreadLocalRandom random = ThreadLocalRandom.current();
    long high = System.currentTimeMillis() << 16 | random.nextInt(1 << 12);
    return uuid(VERSION_7, high, random.nextLong() ^ PROCESS_SALT);
  }

  /** The same name gives the same UUID (version 8, SHA-256) on every machine, forever. */
  public static UUID named(String name) {
    ByteBuffer hash = ByteBuffer.wrap(sha256(name.getBytes(StandardCharsets.UTF_8)));
    return uuid(VERSION_8, hash.getLong(), hash.getLong());
  }

  /** When a {@link #uuid7()} was made, in milliseconds since the epoch on its maker's clock. */
  public static long epochMillis(UUID uuid7) {
    return uuid7.getMostSignificantBits() >>> 16;
  }

  private static UUID uuid(int version, long high, long low) {
    return new UUID(
        (high & ~0xF000L) | ((long) version << 12),
        (low & 0x3FFF_FFFF_FFFF_FFFFL) | 0x8000_0000_0000_0000L);
  }

  public static byte[] sha256(byte[]... parts) {
    MessageDigest digest = sha256Digest();
    Arrays.stream(parts).forEach(digest::update);
    return digest.digest();
  }

  /** For data that comes in many parts. */
  public static MessageDigest sha256Digest() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  public static String sha256Hex(byte[]... parts) {
    return HexFormat.of().formatHex(sha256(parts));
  }
}
