package dev.semel.testservices;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;

/** Finds loopback ports for servers that can't choose one themselves. */
final class Ports {
  static final String HOST = "127.0.0.1";

  static final int MAX_START_ATTEMPTS = 5;

  private Ports() {}

  static int free() {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    } catch (IOException e) {
      throw new UncheckedIOException("no free loopback port", e);
    }
  }

  /**
   * Starts something. Between looking and binding, someone else may take a port: then it is tried
   * again.
   *
   * @param launch takes free ports, and fails with what the server said if it does not start
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
