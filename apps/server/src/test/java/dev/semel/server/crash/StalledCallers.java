package dev.semel.server.crash;

import dev.semel.junit.Patience;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Callers that wait for the beginning of an answer, and read no more of it. */
public final class StalledCallers implements AutoCloseable {
  private static final int RECEIVED_BYTES = 4 << 10;

  private final int port;
  private final List<SocketChannel> channels = new ArrayList<>();

  public StalledCallers(int port) {
    this.port = port;
  }

  /** Opens this many connections, each of which sends the request. */
  public void ask(String request, int count) throws IOException {
    byte[] bytes = request.getBytes(StandardCharsets.ISO_8859_1);
    for (int i = 0; i < count; i++) {
      SocketChannel channel = SocketChannel.open();
      channels.add(channel);
      // A small buffer, so that the system takes little of the unread data.
      channel.setOption(StandardSocketOptions.SO_RCVBUF, RECEIVED_BYTES);
      channel.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
      channel.write(ByteBuffer.wrap(bytes));
    }
  }

  /** Waits for the first byte of each answer; returns how many have one. */
  public int answered() throws IOException {
    int answered = 0;
    for (SocketChannel channel : channels) {
      if (in(channel).read() >= 0) {
        answered++;
      }
    }
    return answered;
  }

  /** Whether one caller that reads now gets this many bytes before the end. */
  public boolean readOn(int caller, int bytes) throws IOException {
    SocketChannel channel = channels.get(caller);
    byte[] buffer = new byte[1 << 20];
    channel.setOption(StandardSocketOptions.SO_RCVBUF, buffer.length);
    int seen = 0;
    while (seen < bytes) { // no further read: nothing may follow the last bytes
      int read = in(channel).read(buffer);
      if (read < 0) {
        return false;
      }
      seen += read;
    }
    return true;
  }

  private static InputStream in(SocketChannel channel) throws IOException {
    channel.socket().setSoTimeout(Math.toIntExact(Patience.LIMIT.toMillis()));
    return channel.socket().getInputStream();
  }

  @Override
  public void close() throws IOException {
    for (SocketChannel channel : channels) {
      channel.close();
    }
  }
}
