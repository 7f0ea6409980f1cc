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

/** Says exactly what it is told to, valid or not. */
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

  /** One character is one byte. False: the server hung up before it had all. */
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

  /** The next line; empty: the server hung up. */
  public String line() throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    try {
      for (int b = in.read(); b >= 0 && b != '\n'; b = in.read()) {
        line.write(b);
      }
    } catch (SocketException e) {
      // cut off: what came so far counts
    }
    return line.toString(StandardCharsets.ISO_8859_1).strip();
  }

  /** The next ones; fewer: the server hung up. */
  public byte[] bytes(int length) throws IOException {
    return in.readNBytes(length);
  }

  /** All that comes until the server hangs up. */
  public String rest() throws IOException {
    try {
      return new String(in.readAllBytes(), StandardCharsets.ISO_8859_1);
    } catch (SocketException e) {
      return "";
    }
  }

  /** Nothing is read any more, so that what is sent piles up. */
  public Socket socket() {
    return socket;
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
