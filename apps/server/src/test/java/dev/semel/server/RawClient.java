package dev.semel.server;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;

/** A client that sends exactly the given bytes, valid or not. */
public final class RawClient implements AutoCloseable {
  private static final int PATIENCE_MILLIS = 10_000;

  private final Socket socket;
  private final InputStream in;

  public RawClient(int port) throws IOException {
    socket = new Socket(InetAddress.getLoopbackAddress(), port);
    socket.setSoTimeout(PATIENCE_MILLIS);
    socket.setTcpNoDelay(true);
    in = new BufferedInputStream(socket.getInputStream());
  }

  /** One character is one byte. False: the server closed before it had all. */
  public boolean send(String bytes) {
    try {
      OutputStream out = socket.getOutputStream();
      out.write(bytes.getBytes(StandardCharsets.ISO_8859_1));
      out.flush();
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  /** The next line; empty: the server closed. */
  public String line() throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    try {
      for (int b = in.read(); b >= 0 && b != '\n'; b = in.read()) {
        line.write(b);
      }
    } catch (SocketException e) {
      // cut off: what came before counts
    }
    return line.toString(StandardCharsets.ISO_8859_1).strip();
  }

  /** The next bytes; fewer: the server closed. */
  public byte[] bytes(int length) throws IOException {
    return in.readNBytes(length);
  }

  /** Everything until the server closes. */
  public String rest() throws IOException {
    try {
      return new String(in.readAllBytes(), StandardCharsets.ISO_8859_1);
    } catch (SocketException e) {
      return "";
    }
  }

  /** For a test that reads nothing more, so that data piles up. */
  public Socket socket() {
    return socket;
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
