package dev.semel.benchmarks;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Clients of one address with persistent connections and as little overhead as possible. */
final class KeepAliveCallers implements AutoCloseable {
  private static final String LENGTH = "content-length:";
  private static final String BODY = "{\"amount\":10,\"currency\":\"EUR\",\"order\":\"4711\"}";

  private final int port;
  private final Queue<Connection> idle = new ConcurrentLinkedQueue<>();

  KeepAliveCallers(int port) {
    this.port = port;
  }

  private record Connection(Socket socket, InputStream in) {}

  /**
   * Sends one payment and reads the answer.
   *
   * @param key empty: none
   */
  void pay(String key) throws IOException {
    Connection free = idle.poll();
    Connection connection = free == null ? connect() : free;
    String request =
        "POST /payments HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n"
            + (key.isEmpty() ? "" : "Idempotency-Key: " + key + "\r\n")
            + "Content-Length: "
            + BODY.length()
            + "\r\n\r\n"
            + BODY;
    connection.socket().getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
    String status = line(connection.in());
    // Of many with the same key, one runs, and the others may be asked to come back.
    if (!status.contains(" 201 ") && !status.contains(" 409 ")) {
      throw new IOException("answered " + status);
    }
    int length = 0;
    for (String header = line(connection.in()); !header.isEmpty(); header = line(connection.in())) {
      if (header.regionMatches(true, 0, LENGTH, 0, LENGTH.length())) {
        length = Integer.parseInt(header.substring(LENGTH.length()).strip());
      }
    }
    connection.in().skipNBytes(length);
    idle.add(connection);
  }

  private Connection connect() throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
    socket.setTcpNoDelay(true);
    return new Connection(socket, new BufferedInputStream(socket.getInputStream()));
  }

  private static String line(InputStream in) throws IOException {
    StringBuilder line = new StringBuilder();
    for (int b = in.read(); b != '\n'; b = in.read()) {
      if (b < 0) {
        throw new IOException("the connection ended");
      }
      if (b != '\r') {
        line.append((char) b);
      }
    }
    return line.toString();
  }

  @Override
  public void close() throws IOException {
    for (Connection connection : idle) {
      connection.socket().close();
    }
  }
}
