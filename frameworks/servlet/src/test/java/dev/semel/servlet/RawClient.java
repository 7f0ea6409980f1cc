package dev.semel.servlet;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.charset.StandardCharsets;

/** Sends exactly the given characters to a server; each character is a byte. */
final class RawClient implements AutoCloseable {
  private static final int PATIENCE_MILLIS = 20_000;
  private static final int MAX_READ = 1 << 22;

  private final Socket socket;

  RawClient(URI server) throws IOException {
    socket = new Socket(server.getHost(), server.getPort());
    socket.setSoTimeout(PATIENCE_MILLIS);
  }

  void send(String text) throws IOException {
    OutputStream out = socket.getOutputStream();
    out.write(text.getBytes(StandardCharsets.ISO_8859_1));
    out.flush();
  }

  /** Ends the requests; answers are still read. */
  void endOfRequests() throws IOException {
    socket.shutdownOutput();
  }

  String readUntil(String end) throws IOException {
    StringBuilder read = new StringBuilder();
    InputStream in = socket.getInputStream();
    while (read.indexOf(end) < 0) {
      int next = in.read();
      if (next < 0 || read.length() > MAX_READ) {
        throw new IOException("ended after: " + read);
      }
      read.append((char) next);
    }
    return read.toString();
  }

  /** Reads until the server closes the connection. */
  String readAll() throws IOException {
    StringBuilder read = new StringBuilder();
    InputStream in = socket.getInputStream();
    try {
      for (int next = in.read(); next >= 0; next = in.read()) {
        read.append((char) next);
      }
    } catch (SocketTimeoutException e) {
      throw new IOException("the server neither goes on nor hangs up after: " + read, e);
    } catch (IOException e) {
      return read.toString(); // a reset is an end, too
    }
    return read.toString();
  }

  /** Resets the connection instead of closing it. */
  void hangUp() throws IOException {
    socket.setSoLinger(true, 0);
    socket.close();
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
