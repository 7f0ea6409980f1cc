package dev.semel.proof.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.semel.proof.fault.FaultProxy.Weather;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Each weather, before a server that gives every byte back. */
class FaultProxyTest {
  /** How long nothing must come for it to count as nothing. */
  private static final int SILENCE_MILLIS = 200;

  private static final int PATIENCE_MILLIS = 20_000;

  private final AtomicInteger received = new AtomicInteger();
  private ServerSocket server;
  private FaultProxy proxy;

  @BeforeEach
  void start() throws IOException {
    server = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
    Thread.ofVirtual().start(this::serve);
    proxy =
        FaultProxy.before(new InetSocketAddress(server.getInetAddress(), server.getLocalPort()));
  }

  @AfterEach
  void stop() throws IOException {
    proxy.close();
    server.close();
  }

  private void serve() {
    while (!server.isClosed()) {
      try {
        Socket client = server.accept();
        Thread.ofVirtual().start(() -> echo(client));
      } catch (IOException e) {
        // It is closed.
      }
    }
  }

  private void echo(Socket client) {
    try (client) {
      for (int b = client.getInputStream().read(); b >= 0; b = client.getInputStream().read()) {
        received.incrementAndGet();
        client.getOutputStream().write(b);
      }
    } catch (IOException e) {
      // The client is gone.
    }
  }

  private Socket connect() throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), proxy.port());
    socket.setSoTimeout(PATIENCE_MILLIS);
    return socket;
  }

  private static int ask(Socket socket) throws IOException {
    socket.getOutputStream().write('x');
    return socket.getInputStream().read();
  }

  private static void assertNoAnswer(Socket socket) throws IOException {
    socket.setSoTimeout(SILENCE_MILLIS);
    assertThatThrownBy(() -> ask(socket)).isInstanceOf(SocketTimeoutException.class);
  }

  private static void assertEnded(Socket socket) {
    try {
      assertThat(socket.getInputStream().read()).isEqualTo(-1);
    } catch (SocketTimeoutException e) {
      throw new AssertionError("the connection stays", e);
    } catch (IOException e) {
      return; // reset: that is an end too
    }
  }

  @Test
  void clearWeatherPassesEverything() throws IOException {
    try (Socket socket = connect()) {
      assertThat(ask(socket)).isEqualTo('x');
      assertThat(ask(socket)).isEqualTo('x');
    }
  }

  @Test
  void cutEndsConnectionsAndNewOnesUntilItIsClear() throws IOException {
    try (Socket before = connect()) {
      ask(before);
      proxy.set(Weather.CUT);
      assertEnded(before);
    }
    try (Socket during = connect()) {
      assertEnded(during);
    }
    proxy.set(Weather.CLEAR);
    try (Socket after = connect()) {
      assertThat(ask(after)).isEqualTo('x');
    }
  }

  @Test
  void silenceKeepsConnectionsAndPassesNothing() throws IOException {
    try (Socket socket = connect()) {
      ask(socket);
      proxy.set(Weather.SILENT);
      assertNoAnswer(socket);
      assertThat(received).hasValue(1);
    }
  }

  @Test
  void lostAnswersBelongToRequestsThatArrived() throws IOException {
    try (Socket socket = connect()) {
      ask(socket);
      proxy.set(Weather.ANSWERS_LOST);
      assertNoAnswer(socket);
      await().untilAsserted(() -> assertThat(received).hasValue(2));
    }
  }

  @Test
  void delayHoldsBackBothWays() throws IOException {
    try (Socket socket = connect()) {
      proxy.delay(Duration.ofMillis(50));
      long started = System.nanoTime();
      assertThat(ask(socket)).isEqualTo('x');
      assertThat(Duration.ofNanos(System.nanoTime() - started))
          .isGreaterThanOrEqualTo(Duration.ofMillis(100));
    }
  }

  @Test
  void connectionEndsWhereTheServerIsAway() throws IOException {
    try (Socket nobody = new Socket()) {
      // Taken, and not listened on: a port that is free may be another test's a moment later.
      nobody.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      proxy.redirect(nobody.getLocalPort());
      try (Socket socket = connect()) {
        assertEnded(socket);
      }
    }
  }
}
