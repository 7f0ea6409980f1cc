package dev.semel.testservices;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The part of Redis's protocol that is needed to join the nodes of a cluster and move slots. */
final class RespProtocol implements AutoCloseable {
  private static final int TIMEOUT_MILLIS = 10_000;

  private final Socket socket;
  private final InputStream in;

  RespProtocol(int port) throws IOException {
    socket = new Socket();
    socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), TIMEOUT_MILLIS);
    socket.setSoTimeout(TIMEOUT_MILLIS);
    socket.setTcpNoDelay(true);
    in = new BufferedInputStream(socket.getInputStream());
  }

  /** Sends a command. Returns text, a list of texts, or null; throws Redis's errors. */
  @Nullable Object ask(List<byte[]> command) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.writeBytes(ascii("*" + command.size() + "\r\n"));
    for (byte[] part : command) {
      out.writeBytes(ascii("$" + part.length + "\r\n"));
      out.writeBytes(part);
      out.writeBytes(ascii("\r\n"));
    }
    socket.getOutputStream().write(out.toByteArray());
    return answer();
  }

  private @Nullable Object answer() throws IOException {
    String line = line();
    String rest = line.substring(1);
    return switch (line.charAt(0)) {
      case '+', ':' -> ascii(rest);
      case '-' -> throw new IOException("Redis answered: " + rest);
      case '$' -> bulk(Integer.parseInt(rest));
      case '*' -> list(Integer.parseInt(rest));
      default -> throw new IOException("no answer of Redis's: " + line);
    };
  }

  private byte @Nullable [] bulk(int length) throws IOException {
    if (length < 0) {
      return null;
    }
    byte[] bytes = in.readNBytes(length);
    line();
    return bytes;
  }

  private List<@Nullable Object> list(int length) throws IOException {
    List<@Nullable Object> all = new ArrayList<>();
    for (int i = 0; i < length; i++) {
      all.add(answer());
    }
    return all;
  }

  private String line() throws IOException {
    StringBuilder line = new StringBuilder();
    for (int c = in.read(); c != '\r'; c = in.read()) {
      if (c < 0) {
        throw new EOFException("Redis closed the connection");
      }
      line.append((char) c);
    }
    in.read(); // the line feed
    return line.toString();
  }

  static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
