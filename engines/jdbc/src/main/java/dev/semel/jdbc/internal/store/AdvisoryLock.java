package dev.semel.jdbc.internal.store;

import dev.semel.internal.Ids;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** The number under which PostgreSQL knows a lock that belongs to no row. */
public final class AdvisoryLock {
  private AdvisoryLock() {}

  /**
   * Two names may share a number, if hardly ever: then one waits for the other without need. The
   * prefix keeps apart from programs that hash names in their own way.
   */
  public static long of(String name) {
    byte[] text = ("semel:" + name).getBytes(StandardCharsets.UTF_8);
    return ByteBuffer.wrap(Ids.sha256(text)).getLong();
  }
}
