package dev.semel.server.http;

import com.sun.management.UnixOperatingSystemMXBean;
import java.lang.management.ManagementFactory;

/**
 * How many files and sockets the process may have open, and who gets how many of those that are
 * free. What is kept back is for what nobody can refuse: files of streams, connections to stores,
 * classes that are not loaded yet.
 *
 * @param max the system's limit for this process
 * @param open those that are open now
 */
public record FileDescriptors(long max, long open) {
  /** At least so many are kept back, where there are twice as many. */
  static final long LEAST_RESERVE = 64;

  private static final long MOST_CONNECTIONS = 1_000_000;

  /** Where the system does not tell, as many as anyone could use. */
  public static FileDescriptors now() {
    return ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix
            && unix.getMaxFileDescriptorCount() > 0
        ? new FileDescriptors(unix.getMaxFileDescriptorCount(), unix.getOpenFileDescriptorCount())
        : new FileDescriptors(Integer.MAX_VALUE, 0);
  }

  private long free() {
    return Math.max(0, max - open);
  }

  /** A quarter, but no fewer than {@link #LEAST_RESERVE}; where that is over half, half. */
  long reserve() {
    return Math.min(Math.max(LEAST_RESERVE, free() / 4), free() / 2);
  }

  /** How many files of streams may be open at a time, of the {@code wanted}. */
  public int files(int wanted) {
    return Math.toIntExact(Math.max(1, Math.min(wanted, reserve() / 2)));
  }

  /** How many connections to a service behind may be open, of the {@code wanted}. */
  public int upstream(int wanted) {
    return Math.toIntExact(Math.max(1, Math.min(wanted, sockets() / 2)));
  }

  /**
   * How many connections callers may have, beside those where only health checks are answered, and
   * as many again that are being closed.
   *
   * @param upstream connections to a service behind
   */
  public int connections(int upstream) {
    return Math.toIntExact(
        Math.max(
            1,
            Math.min(
                MOST_CONNECTIONS, sockets() - upstream - 2 * ServerConnections.HEALTH_PLACES)));
  }

  private long sockets() {
    return free() - reserve();
  }
}
