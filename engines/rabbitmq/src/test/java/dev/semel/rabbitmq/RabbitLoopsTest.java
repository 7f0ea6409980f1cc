package dev.semel.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.semel.proof.fault.FaultProxy;
import dev.semel.tck.LoopWatch;
import dev.semel.testservices.RabbitService;
import dev.semel.testservices.SharedServices;
import dev.semel.transport.Message;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.security.Provider;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLContextSpi;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLServerSocketFactory;
import javax.net.ssl.SSLSessionContext;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManager;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What becomes known of the loops of queues that fail; {@link StreamLinkTest} has streams'. */
@Tag("service")
@ExtendWith(SharedServices.class)
final class RabbitLoopsTest {
  /** What is not written by then is cut off. */
  private static final Duration SOON = Duration.ofSeconds(1);

  /** Of answers of the broker. */
  private static final Duration LIMIT = Duration.ofMinutes(1);

  @Test
  void aBrokerThatCanNotBeReachedIsTold(RabbitService rabbit) throws Exception {
    LoopWatch watch = LoopWatch.of("semel-rabbit-link");
    try (FaultProxy way = FaultProxy.before(rabbit.port());
        RabbitLink link =
            RabbitLink.open(
                RabbitServer.of("amqp://guest:guest@127.0.0.1:" + way.port()), "test", LIMIT)) {
      assertThat(link.connection()).isPresent();
      way.set(FaultProxy.Weather.CUT);
      await().untilAsserted(watch::assertTold);
      way.set(FaultProxy.Weather.CLEAR);
      await().until(() -> link.connection().isPresent());
    }
  }

  /** It is to cut off a connection that takes nothing, and the connection can't be closed. */
  @Test
  void aWatchThatCanNotCutAConnectionOffIsTold(RabbitService rabbit) throws Exception {
    AtomicBoolean broken = new AtomicBoolean();
    RabbitSettings settings =
        RabbitSettings.of(rabbit.url()).withDestination("watched", "c").withPublishTimeout(SOON);
    RabbitServer server = settings.server().withTls(new PlainContext(() -> new Stuck(broken)));
    LoopWatch watch = LoopWatch.of("semel-rabbit-watch");
    try (RabbitTransport transport = RabbitTransport.connect(settings.withPublishTimeout(LIMIT));
        RabbitLink link = RabbitLink.open(server, "test", LIMIT);
        RabbitPublisher publisher =
            new RabbitPublisher(settings, link, new RabbitNames(settings.partitions()))) {
      assertThat(transport.describe()).isNotEmpty(); // it has made the destination
      await().until(() -> taken(publisher)); // from now on the destination is not asked for
      broken.set(true);
      CompletableFuture<Boolean> next = CompletableFuture.supplyAsync(() -> taken(publisher));
      await().untilAsserted(watch::assertTold);
      broken.set(false);
      await().until(next::isDone);
    }
  }

  private static boolean taken(RabbitPublisher publisher) {
    return publisher
        .publish(Message.of("watched", "any"))
        .handle((published, failure) -> failure == null)
        .toCompletableFuture()
        .join();
  }

  /** While it is broken, writing to it waits, and closing it throws. */
  private static final class Stuck extends Socket {
    private final AtomicBoolean broken;

    Stuck(AtomicBoolean broken) {
      this.broken = broken;
    }

    @Override
    public OutputStream getOutputStream() throws IOException {
      return new FilterOutputStream(super.getOutputStream()) {
        @Override
        public void write(byte[] bytes, int from, int length) throws IOException {
          await().untilFalse(broken);
          out.write(bytes, from, length);
        }
      };
    }

    @Override
    public void close() throws IOException {
      if (broken.get()) {
        throw new IllegalStateException("a bug in close");
      }
      super.close();
    }
  }

  private interface Sockets {
    Socket make();
  }

  /** Where settings take sockets from: these speak without TLS. */
  private static final class PlainContext extends SSLContext {
    PlainContext(Sockets sockets) {
      super(new Spi(sockets), new Provider("test", "1", "plain sockets") {}, "TLS");
    }
  }

  private static final class Spi extends SSLContextSpi {
    private final Sockets sockets;

    Spi(Sockets sockets) {
      this.sockets = sockets;
    }

    @Override
    protected void engineInit(
        KeyManager @Nullable [] keys,
        TrustManager @Nullable [] trust,
        @Nullable SecureRandom random) {}

    @Override
    protected SSLSocketFactory engineGetSocketFactory() {
      return new Factory(sockets);
    }

    @Override
    protected SSLServerSocketFactory engineGetServerSocketFactory() {
      throw new UnsupportedOperationException();
    }

    @Override
    protected SSLEngine engineCreateSSLEngine() {
      throw new UnsupportedOperationException();
    }

    @Override
    protected SSLEngine engineCreateSSLEngine(String host, int port) {
      throw new UnsupportedOperationException();
    }

    @Override
    protected SSLSessionContext engineGetServerSessionContext() {
      throw new UnsupportedOperationException();
    }

    @Override
    protected SSLSessionContext engineGetClientSessionContext() {
      throw new UnsupportedOperationException();
    }
  }

  private static final class Factory extends SSLSocketFactory {
    private final Sockets sockets;

    Factory(Sockets sockets) {
      this.sockets = sockets;
    }

    @Override
    public Socket createSocket() {
      return sockets.make();
    }

    @Override
    public String[] getDefaultCipherSuites() {
      return new String[0];
    }

    @Override
    public String[] getSupportedCipherSuites() {
      return new String[0];
    }

    @Override
    public Socket createSocket(Socket inner, String host, int port, boolean closes) {
      throw new UnsupportedOperationException();
    }

    @Override
    public Socket createSocket(String host, int port) {
      throw new UnsupportedOperationException();
    }

    @Override
    public Socket createSocket(String host, int port, InetAddress from, int fromPort) {
      throw new UnsupportedOperationException();
    }

    @Override
    public Socket createSocket(InetAddress host, int port) {
      throw new UnsupportedOperationException();
    }

    @Override
    public Socket createSocket(InetAddress host, int port, InetAddress from, int fromPort) {
      throw new UnsupportedOperationException();
    }
  }
}
