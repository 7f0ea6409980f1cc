package dev.semel.testservices;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;

/** Finds loopback ports for servers that can't choose one themselves. */
final class Ports {
  static final String HOST = "127.0.0.1";

  /** Between looking and binding, someone else may take the port: then a start is tried again. */
  static final int MAX_START_ATTEMPTS = 5;

  private Ports() {}

  static int free() {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    } catch (IOException e) {
      throw new UncheckedIOException("no free loopback port", e);
    }
  }

  static boolean wasTaken(String log) {
    return log.contains("Address already in use");
  }
}
