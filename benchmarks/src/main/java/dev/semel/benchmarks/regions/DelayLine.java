package dev.semel.benchmarks.regions;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.locks.LockSupport;

/**
 * Adds a delay to connections with a server on this machine, at any throughput. (The fault proxy of
 * semel-proof delays one piece before it takes the next, which also limits the throughput.)
 */
final class DelayLine implements AutoCloseable {
  private static final int BUFFER = 64 << 10;
  private static final int MOST_PIECES = 100_000;

  private final ServerSocket listener;
  private final int port;
  private final long delayNanos;
  private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();

  /** A piece of data in flight. */
  private static final class Piece {
    private final byte[] bytes;
    private final long due;

    Piece(byte[] bytes, long due) {
      this.bytes = bytes;
      this.due = due;
    }
  }

  private DelayLine(ServerSocket listener, int port, Duration delay) {
    this.listener = listener;
    this.port = port;
    this.delayNanos = delay.toNanos();
  }

  /**
   * @param delay in each direction
   */
  static DelayLine to(int port, Duration delay) throws IOException {
    DelayLine line =
        new DelayLine(new ServerSocket(0, 10, InetAddress.getLoopbackAddress()), port, delay);
    Thread.ofVirtual().start(line::accept);
    return line;
  }

  int port() {
    return listener.getLocalPort();
  }

  private void accept() {
    while (!listener.isClosed()) {
      try {
        Socket from = listener.accept();
        Socket to = new Socket(InetAddress.getLoopbackAddress(), port);
        from.setTcpNoDelay(true);
        to.setTcpNoDelay(true);
        sockets.add(from);
        sockets.add(to);
        carry(from, to);
        carry(to, from);
      } catch (IOException e) {
        // Cut, or the server is down: the client tries again.
      }
    }
  }

  private void carry(Socket from, Socket to) {
    BlockingQueue<Piece> line = new LinkedBlockingQueue<>(MOST_PIECES);
    Thread.ofVirtual().start(() -> take(from, line));
    Thread.ofVirtual().start(() -> give(line, to));
  }

  private void take(Socket from, BlockingQueue<Piece> line) {
    byte[] buffer = new byte[BUFFER];
    try (from) {
      InputStream in = from.getInputStream();
      for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
        line.put(new Piece(Arrays.copyOf(buffer, read), System.nanoTime() + delayNanos));
      }
    } catch (IOException e) {
      // Cut, or the sender died: earlier data is still in flight.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void give(BlockingQueue<Piece> line, Socket to) {
    try (to) {
      OutputStream out = to.getOutputStream();
      while (true) {
        Piece piece = line.take();
        for (long left = piece.due - System.nanoTime();
            left > 0;
            left = piece.due - System.nanoTime()) {
          LockSupport.parkNanos(left);
        }
        out.write(piece.bytes);
      }
    } catch (IOException e) {
      // Cut: the data in flight is lost.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Cuts the line: data in flight never arrives. */
  @Override
  public void close() throws IOException {
    listener.close();
    for (Socket socket : sockets) {
      socket.close();
    }
  }
}
