package dev.semel.server.http;

import com.sun.management.UnixOperatingSystemMXBean;
import java.lang.management.ManagementFactory;

/**
 * Limit of open files and sockets of the process, and how the free ones are divided. A reserve
 * remains for uses that nobody can refuse: files of streams, connections to stores, classes that
 * are not loaded yet.
 *
 * @param max the system's limit for this process
 * @param open those that are open now
 */
public record FileDescriptors(long max, long open) {
  /** Least reserve, if at least twice as many are free. */
  static final long LEAST_RESERVE = 64;

  private static final long MOST_CONNECTIONS = 1_000_000;

  /** The current values; where the system reports none, as many as anyone could use. */
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

  /** Number of stream files that may be open at a time, at most {@code wanted}. */
  public int files(int wanted) {
    return Math.toIntExact(Math.max(1, Math.min(wanted, reserve() / 2)));
  }

  /** Number of connections to a service behind that may be open, at most {@code wanted}. */
  public int upstream(int wanted) {
    return Math.toIntExact(Math.max(1, Math.min(wanted, sockets() / 2)));
  }

  /**
   * Number of connections for callers, beside those for health checks, and as many again that are
   * being closed.
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
