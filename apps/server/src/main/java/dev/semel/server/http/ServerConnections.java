package dev.semel.server.http;

import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.SocketAddress;
import java.net.InetSocketAddress;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.SimpleFormatter;
import org.jspecify.annotations.Nullable;

/**
 * The connections of a server's callers, in all its event loops. It counts them when they are
 * accepted, before anything is read, so that silent ones count too.
 *
 * <p>Beyond the limit there are {@link #HEALTH_PLACES} places for health checks, with one answer
 * each. A newcomer takes the place of the oldest: callers that ask at once are answered, and silent
 * ones keep nobody out.
 *
 * <p>A failed accept, most often for lack of descriptors, is counted, logged once a minute and
 * tried again. Safe for all threads.
 */
public final class ServerConnections implements AutoCloseable {
  /** Connections beyond the limit, for health checks. */
  public static final int HEALTH_PLACES = 8;

  /** How long nothing is accepted after a failed accept. */
  private static final long PAUSE_MILLIS = 200;

  private static final long LOG_NANOS = TimeUnit.MINUTES.toNanos(1);

  private static final System.Logger LOG = System.getLogger("dev.semel.server");

  /** The counts at one moment. */
  public record Counts(
      long open, long limit, long beyondLimit, long failedAccepts, long slowBodies) {}

  private final int limit;
  private final ConnectionLimits limits;
  private final AtomicInteger open = new AtomicInteger();
  private final LongAdder beyondLimit = new LongAdder();
  private final LongAdder failedAccepts = new LongAdder();
  private final LongAdder slowBodies = new LongAdder();

  /** By address, oldest first. Guarded by its own monitor. */
  private final Map<String, Channel> healthPlaces = new LinkedHashMap<>();

  private volatile boolean placesTaken;

  private volatile @Nullable ServerCertificates certificates;

  /** Connections that had a place and are being closed. */
  private final AtomicInteger leaving = new AtomicInteger();

  private ServerConnections(int limit, ConnectionLimits limits) {
    this.limit = limit;
    this.limits = limits;
  }

  /**
   * Creates the count for one server.
   *
   * @param upstream how many connections it may have to a service behind
   */
  public static ServerConnections of(
      ConnectionLimits limits, FileDescriptors descriptors, int upstream) {
    int most = descriptors.connections(upstream);
    int asked = limits.maxConnections();
    if (asked > most) {
      LOG.log(
          System.Logger.Level.WARNING,
          "at most %d connections, not %d: the process may have %d files and sockets open"
              .formatted(most, asked, descriptors.max()));
    }
    return new ServerConnections(asked == 0 ? most : Math.min(asked, most), limits);
  }

  /** Creates the Vert.x instance for the servers that count here. */
  public Vertx vertx(VertxOptions options) {
    prepareLogging();
    return Vertx.builder()
        .with(options)
        .withTransport(new CountingTransport(new Acceptor()))
        .build();
  }

  /**
   * Loads the classes of logging early. A class whose initialisation failed once, for lack of a
   * descriptor, can never be used again: the first message with a date and a stack trace must not
   * be the one about missing descriptors.
   */
  private static void prepareLogging() {
    LogRecord record = new LogRecord(Level.WARNING, "{0}");
    record.setParameters(new Object[] {"nothing is wrong"});
    record.setThrown(new IllegalStateException());
    String unused = new SimpleFormatter().format(record);
  }

  /**
   * Makes the server speak TLS.
   *
   * @throws dev.semel.InvalidInput the certificate and its key are unusable
   */
  public void secure(Vertx vertx, TlsSettings.Pair pair) {
    certificates = ServerCertificates.open(vertx, pair);
  }

  /**
   * Options for listening. With TLS, callers ask for HTTP/2 in the handshake; without, they begin
   * with it ({@link UpgradeGuard}).
   */
  public HttpServerOptions options(int maxHeaderBytes) {
    HttpServerOptions options =
        Http2Limits.apply(new HttpServerOptions(), maxHeaderBytes)
            // No route speaks WebSocket, and its handlers would look at every request.
            .setPerFrameWebSocketCompressionSupported(false)
            .setPerMessageWebSocketCompressionSupported(false)
            .setStrictThreadMode(true)
            .setTcpNoDelay(true)
            .setReuseAddress(true)
            .setMaxHeaderSize(maxHeaderBytes)
            .setMaxInitialLineLength(maxHeaderBytes);
    ServerCertificates used = certificates;
    return used == null ? options.setHttp2ClearTextEnabled(true) : used.apply(options);
  }

  /** Status of the certificate; empty: plain HTTP. */
  public Optional<ServerCertificates.Counts> certificate() {
    return Optional.ofNullable(certificates).map(ServerCertificates::counts);
  }

  /** Stops checking the certificate's files. */
  @Override
  public void close() {
    ServerCertificates used = certificates;
    if (used != null) {
      used.close();
    }
  }

  /** Whether the limit is reached. */
  public boolean full() {
    return open.get() >= limit;
  }

  /** Whether the connection of this request may only have a health check. */
  public boolean isBeyondLimit(HttpServerRequest request) {
    if (!placesTaken) {
      return false;
    }
    SocketAddress peer = request.connection().remoteAddress();
    synchronized (healthPlaces) {
      return peer != null && healthPlaces.containsKey(key(peer.hostAddress(), peer.port()));
    }
  }

  public Counts counts() {
    return new Counts(open.get(), limit, beyondLimit.sum(), failedAccepts.sum(), slowBodies.sum());
  }

  ConnectionLimits limits() {
    return limits;
  }

  void slowBody() {
    slowBodies.increment();
  }

  /** False: the connection is closed. */
  private boolean accepted(Channel child) {
    if (open.incrementAndGet() <= limit) {
      child.closeFuture().addListener(closed -> open.decrementAndGet());
      return true;
    }
    open.decrementAndGet();
    beyondLimit.increment();
    if (leaving.get() >= HEALTH_PLACES) {
      // Connections come faster than event loops close them, so nothing more is held for these.
      child.unsafe().closeForcibly();
      return false;
    }
    Channel pushedOut = null;
    String key = key(child);
    synchronized (healthPlaces) {
      if (healthPlaces.size() >= HEALTH_PLACES) {
        Iterator<Channel> places = healthPlaces.values().iterator();
        pushedOut = places.next();
        places.remove();
      }
      healthPlaces.put(key, child);
      placesTaken = true;
    }
    if (pushedOut != null) {
      leaving.incrementAndGet();
      pushedOut.closeFuture().addListener(closed -> leaving.decrementAndGet());
      ChannelFuture unused = pushedOut.close();
    }
    child.closeFuture().addListener(closed -> left(key, child));
    return true;
  }

  private void left(String key, Channel child) {
    synchronized (healthPlaces) {
      healthPlaces.remove(key, child);
      placesTaken = !healthPlaces.isEmpty();
    }
  }

  private static String key(Channel child) {
    return child.remoteAddress() instanceof InetSocketAddress peer && peer.getAddress() != null
        ? key(peer.getAddress().getHostAddress(), peer.getPort())
        : "";
  }

  private static String key(@Nullable String host, int port) {
    return host + " " + port;
  }

  /** Runs before Netty's acceptor, on the one thread that accepts. */
  @ChannelHandler.Sharable
  private final class Acceptor extends ChannelInboundHandlerAdapter {
    private long lastLogged;
    private long notLogged;
    private boolean logged;

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
      if (message instanceof Channel child) {
        if (!accepted(child)) {
          return;
        }
        if (certificates == null) {
          child.pipeline().addLast(new UpgradeGuard());
        }
      }
      context.fireChannelRead(message);
    }

    /**
     * Does not pass the failure on: Netty would log it, and an error in that would end the thread,
     * after which no connection is ever accepted.
     */
    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
      Channel server = context.channel();
      server.config().setAutoRead(false);
      Future<?> unused =
          server
              .eventLoop()
              .schedule(
                  () -> server.config().setAutoRead(true), PAUSE_MILLIS, TimeUnit.MILLISECONDS);
      failedAccepts.increment();
      notLogged++;
      long now = System.nanoTime();
      if (!logged || now - lastLogged >= LOG_NANOS) {
        logged = true;
        lastLogged = now;
        try {
          LOG.log(
              System.Logger.Level.WARNING,
              "connections can't be accepted, trying again (%d times since this was last logged): %s"
                  .formatted(notLogged, cause));
          notLogged = 0;
        } catch (Throwable e) {
          // Counted in any case, and logged with the next failure.
        }
      }
    }
  }
}
