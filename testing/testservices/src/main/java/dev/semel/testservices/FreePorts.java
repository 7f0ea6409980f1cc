package dev.semel.testservices;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Finds loopback ports for servers that can't choose one. No two test servers get the same one,
 * across all processes: the second would fail to start, and its tests would talk to the first,
 * which may stop at any time.
 */
public final class FreePorts {
  static final String HOST = "127.0.0.1";

  static final int MAX_START_ATTEMPTS = 5;

  /** Below the range of ephemeral ports, so that no connection takes it while a server restarts. */
  private static final int FIRST = 10_000;

  private static final int COUNT = 22_000;

  /** Locks by port; this process keeps them until it ends. */
  private static final Map<Integer, FileChannel> TAKEN = new HashMap<>();

  private FreePorts() {}

  /** A port that no other test server gets while this process lives. */
  public static synchronized int free() {
    try {
      Path folder = Files.createDirectories(PreparedFiles.folder().resolve("ports"));
      while (TAKEN.size() < COUNT) {
        int port = FIRST + ThreadLocalRandom.current().nextInt(COUNT);
        if (!TAKEN.containsKey(port) && take(port, folder) && isFree(port)) {
          return port;
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException("no free loopback port", e);
    }
    throw new IllegalStateException("no free loopback port");
  }

  private static boolean take(int port, Path folder) throws IOException {
    FileChannel channel =
        FileChannel.open(
            folder.resolve(port + ".lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    FileLock lock = channel.tryLock();
    if (lock == null) {
      channel.close();
      return false;
    }
    TAKEN.put(port, channel);
    return true;
  }

  private static boolean isFree(int port) {
    try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
      return socket.isBound();
    } catch (IOException e) {
      return false;
    }
  }

  /**
   * Starts a server. Another program may take its port between the check and the bind: then this
   * tries again.
   *
   * @param launch takes free ports, and fails with the server's output if it does not start
   */
  static void whileTaken(Runnable launch) {
    for (int attempt = 1; ; attempt++) {
      try {
        launch.run();
        return;
      } catch (IllegalStateException e) {
        if (attempt == MAX_START_ATTEMPTS || !wasTaken(String.valueOf(e.getMessage()))) {
          throw e;
        }
      }
    }
  }

  static boolean wasTaken(String log) {
    return log.contains("ddress already in use") || log.contains("eaddrinuse");
  }
}
