package dev.semel.rabbitmq;

import com.rabbitmq.client.Address;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.ShutdownSignalException;
import dev.semel.StoreException;
import dev.semel.loop.Platform;
import dev.semel.loop.internal.Backoff;
import dev.semel.loop.internal.Loop;
import dev.semel.loop.internal.LoopFailures;
import java.io.IOException;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * A connection that is replaced when it breaks. The client's own recovery is off: it would hand out
 * messages of a broken connection as if they could still be acknowledged.
 */
final class RabbitLink implements AutoCloseable {
  private static final String LOOP = "semel-rabbit-link";
  private static final Duration CONNECT_LIMIT = Duration.ofSeconds(5);
  private static final Duration FIRST_PAUSE = Duration.ofMillis(50);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(2);

  /** After two missed heartbeats either side considers the connection broken. */
  private static final Duration HEARTBEAT = Duration.ofSeconds(10);

  private static final int ABORT_MILLIS = 1000;

  private final RabbitServer server;
  private final String name;
  private final Duration answerWithin;
  private final Loop loop;
  private volatile @Nullable Connection current;
  private volatile @Nullable Socket socket;
  private volatile boolean closed;
  private volatile String trouble = "";
  private volatile String blocked = "";
  private Backoff backoff = fresh();

  private RabbitLink(RabbitServer server, String name, Duration answerWithin) {
    this.server = server;
    this.name = name;
    this.answerWithin = answerWithin;
    this.current = connect();
    this.loop = Loop.startTimed(Platform.REAL, LOOP, this::mend, LONGEST_PAUSE);
  }

  /**
   * @param name the connection's name in the broker's tools
   * @throws StoreException the broker is unreachable or refuses our credentials
   */
  static RabbitLink open(RabbitServer server, String name, Duration answerWithin) {
    return new RabbitLink(server, name, answerWithin);
  }

  private Connection connect() {
    List<Address> nodes =
        server.nodes().stream().map(node -> new Address(node.host(), node.port())).toList();
    try {
      Connection connection = factory().newConnection(nodes, name);
      blocked = "";
      connection.addBlockedListener(reason -> blocked = reason, () -> blocked = "");
      connection.addShutdownListener(cause -> wake());
      return connection;
    } catch (IOException | TimeoutException e) {
      throw new StoreException(unreachable(RabbitRefusals.text(e)), e);
    }
  }

  /** Wakes the loop; the first connection may break before there is one. */
  @SuppressWarnings("ConstantValue")
  private void wake() {
    if (loop != null) {
      loop.wake();
    }
  }

  private ConnectionFactory factory() {
    ConnectionFactory factory = new ConnectionFactory();
    factory.setUsername(server.access().user());
    factory.setPassword(server.access().password());
    factory.setVirtualHost(server.virtualHost());
    factory.setAutomaticRecoveryEnabled(false);
    factory.setTopologyRecoveryEnabled(false);
    factory.setConnectionTimeout((int) CONNECT_LIMIT.toMillis());
    factory.setHandshakeTimeout((int) CONNECT_LIMIT.toMillis());
    factory.setRequestedHeartbeat((int) HEARTBEAT.toSeconds());
    factory.setChannelRpcTimeout((int) answerWithin.toMillis());
    factory.setSharedExecutor(new InlineExecutor());
    factory.setThreadFactory(
        task -> Thread.ofPlatform().daemon().name("semel-rabbit-client").unstarted(task));
    factory.setSocketConfigurator(
        made -> {
          made.setTcpNoDelay(true);
          socket = made;
        });
    server
        .tls()
        .ifPresent(
            context -> {
              factory.setSslContextFactory(ignored -> context);
              factory.setSocketFactory(context.getSocketFactory());
              factory.enableHostnameVerification();
            });
    return factory;
  }

  private static Backoff fresh() {
    return new Backoff(FIRST_PAUSE, LONGEST_PAUSE);
  }

  private long mend() {
    Connection now = current;
    if (closed || (now != null && now.isOpen())) {
      return LONGEST_PAUSE.toNanos();
    }
    current = null;
    try {
      Connection next = connect();
      current = next;
      trouble = "";
      if (closed) {
        next.abort(ABORT_MILLIS);
      }
      backoff = fresh();
      return LONGEST_PAUSE.toNanos();
    } catch (StoreException e) {
      trouble = RabbitRefusals.text(e.getCause());
      LoopFailures.report(LOOP, e);
      return backoff.nextNanos();
    }
  }

  /** The connection; empty: there is none now, and the loop tries to open one. */
  Optional<Connection> connection() {
    Connection now = current;
    return now != null && now.isOpen() ? Optional.of(now) : Optional.empty();
  }

  Connection require() {
    return connection().orElseThrow(() -> new StoreException(why()));
  }

  String why() {
    return closed ? "the transport is closed" : unreachable(trouble);
  }

  private String unreachable(String reason) {
    return "RabbitMQ can't be reached at %s as user %s: is it there, and may we in?%s"
        .formatted(
            server.describe(),
            server.access().user(),
            reason.isEmpty() ? "" : " It said: " + reason);
  }

  /** Why the broker accepts no messages over this connection; empty: it accepts them. */
  String blocked() {
    return blocked;
  }

  boolean closed() {
    return closed;
  }

  /** Closes the socket, so that a thread blocked in a write continues with an error. */
  void breakOff() {
    Socket last = socket;
    if (last != null) {
      try {
        last.close();
      } catch (IOException e) {
        return; // nothing more can be done
      }
    }
  }

  @Override
  public void close() {
    closed = true;
    abort(current);
    loop.close();
    abort(current);
  }

  private static void abort(@Nullable Connection connection) {
    if (connection != null) {
      try {
        connection.abort(ABORT_MILLIS);
      } catch (ShutdownSignalException e) {
        return; // it was closed already
      }
    }
  }
}
