package dev.semel.redis;

import dev.semel.loop.internal.Loop;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A proxy between a client and a server that can lose an answer: the server has executed the
 * command, but the client sees only a broken connection. New connections wait until the test allows
 * them.
 */
final class ForgetfulProxy implements AutoCloseable {
  private static final int BUFFER_BYTES = 1 << 16;

  private final ServerSocket listener;
  private final int server;
  private final AtomicInteger untilLoss = new AtomicInteger();
  private volatile CountDownLatch lost = new CountDownLatch(1);
  private volatile CountDownLatch gate = new CountDownLatch(0);

  ForgetfulProxy(int server) throws IOException {
    this.server = server;
    this.listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    Loop.beside("proxy", this::accept);
  }

  String url() {
    return "redis://127.0.0.1:" + listener.getLocalPort();
  }

  /**
   * Loses the answer with this number, counted from 1, together with its connection, and blocks new
   * connections until they are allowed.
   */
  void loseAnswer(int number) {
    lost = new CountDownLatch(1);
    gate = new CountDownLatch(1);
    untilLoss.set(number);
  }

  void awaitLoss() throws InterruptedException {
    lost.await();
  }

  void letThrough() {
    gate.countDown();
  }

  private void accept() {
    try {
      while (true) {
        Socket client = listener.accept();
        gate.await();
        Socket upstream = new Socket(InetAddress.getLoopbackAddress(), server);
        Loop.beside("proxy-requests", () -> requests(client, upstream));
        Loop.beside("proxy-answers", () -> answers(upstream, client));
      }
    } catch (IOException | InterruptedException e) {
      return; // closed
    }
  }

  private static void requests(Socket client, Socket upstream) {
    try (client;
        upstream) {
      client.getInputStream().transferTo(upstream.getOutputStream());
    } catch (IOException e) {
      return; // the other direction closed the connection
    }
  }

  private void answers(Socket upstream, Socket client) {
    byte[] buffer = new byte[BUFFER_BYTES];
    try (client;
        upstream) {
      InputStream in = upstream.getInputStream();
      for (int length = in.read(buffer); length >= 0; length = in.read(buffer)) {
        if (untilLoss.getAndUpdate(n -> Math.max(0, n - 1)) == 1) {
          lost.countDown();
          return;
        }
        client.getOutputStream().write(buffer, 0, length);
      }
    } catch (IOException e) {
      return; // the other direction closed the connection
    }
  }

  @Override
  public void close() {
    try {
      listener.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
