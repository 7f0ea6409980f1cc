package dev.semel.jdbc.internal.store;

import dev.semel.internal.Ids;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** The number of a PostgreSQL advisory lock. */
public final class AdvisoryLock {
  private AdvisoryLock() {}

  /**
   * The number for a name. Two names rarely share a number; then one needlessly waits for the
   * other. The prefix avoids clashes with other programs that hash names.
   */
  public static long of(String name) {
    byte[] text = ("semel:" + name).getBytes(StandardCharsets.UTF_8);
    return ByteBuffer.wrap(Ids.sha256(text)).getLong();
  }
}
