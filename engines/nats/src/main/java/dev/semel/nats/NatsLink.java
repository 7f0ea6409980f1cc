package dev.semel.nats;

import dev.semel.StoreException;
import dev.semel.loop.Platform;
import dev.semel.loop.internal.Backoff;
import dev.semel.loop.internal.Loop;
import dev.semel.loop.internal.LoopFailures;
import io.nats.client.AuthenticationException;
import io.nats.client.Connection;
import io.nats.client.ConnectionListener;
import io.nats.client.ErrorListener;
import io.nats.client.Nats;
import io.nats.client.Options;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * A connection that is replaced when it breaks. The client's own reconnecting is off: it would keep
 * unsent messages and send them later, long after their callers got an error. So everything in
 * flight fails with the connection.
 */
final class NatsLink implements AutoCloseable {
  private static final String LOOP = "semel-nats-link";
  private static final Duration CONNECT_LIMIT = Duration.ofSeconds(3);
  private static final Duration FIRST_PAUSE = Duration.ofMillis(50);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(2);

  /** After three of these without an answer the connection counts as broken. */
  private static final Duration PING_EVERY = Duration.ofSeconds(5);

  /** How many messages may wait to be written, and how long a caller waits for a place. */
  private static final int MAX_TO_WRITE = 8192;

  private static final Duration WRITE_LIMIT = Duration.ofSeconds(1);

  private final JetStreamSettings settings;
  private final Loop loop;
  private volatile @Nullable Connection current;
  private volatile @Nullable Exception failure;
  private volatile boolean closed;
  private Backoff backoff = fresh();

  private NatsLink(JetStreamSettings settings, Connection first) {
    this.settings = settings;
    this.current = first;
    this.loop = Loop.startTimed(Platform.REAL, LOOP, this::mend, LONGEST_PAUSE);
  }

  static NatsLink open(JetStreamSettings settings) {
    try {
      // The listener needs the link, and the link needs the connection: so the listener gets the
      // link later.
      NatsLink[] made = new NatsLink[1];
      Connection first = connect(settings, broken -> wake(made[0], broken));
      made[0] = new NatsLink(settings, first);
      made[0].loop.wake();
      return made[0];
    } catch (IOException e) {
      throw new StoreException(why(settings, e), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new StoreException("interrupted while connecting to NATS", e);
    }
  }

  /** Connects. The client's exception only says that it failed; its listener gets the cause. */
  private static Connection connect(JetStreamSettings settings, Consumer<Connection> onClosed)
      throws IOException, InterruptedException {
    Heard heard = new Heard();
    try {
      return Nats.connect(options(settings, onClosed, heard));
    } catch (IOException e) {
      Exception last = heard.last;
      if (last != null && e.getCause() == null && !(e instanceof AuthenticationException)) {
        e.initCause(last);
      }
      throw e;
    }
  }

  /** Replaces the client's own listener, which would write to a log. */
  private static final class Heard implements ErrorListener {
    private volatile @Nullable Exception last;

    @Override
    public void exceptionOccurred(Connection connection, Exception failure) {
      last = failure;
    }
  }

  /**
   * Wakes the loop for an established connection only: the client also closes failed ones, and
   * those must not be retried without a pause.
   */
  @SuppressWarnings("ReferenceEquality") // compares identity
  private static void wake(@Nullable NatsLink link, Connection broken) {
    if (link != null && broken == link.current) {
      link.loop.wake();
    }
  }

  /** The reason without secrets: the client does not repeat its credentials. */
  private static String why(JetStreamSettings settings, @Nullable Exception failure) {
    String servers = String.join(", ", settings.servers());
    if (failure instanceof AuthenticationException) {
      return "NATS at %s does not let us in: check the user and password, token or credentials file"
          .formatted(servers);
    }
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof SSLException || String.valueOf(cause.getMessage()).contains("SSL")) {
        return "NATS at %s and we don't agree on TLS: use tls:// where the server asks for it, and trust who signed its certificate (%s)"
            .formatted(servers, cause.getMessage());
      }
    }
    return "NATS can't be reached at %s: is it there?".formatted(servers);
  }

  private static Options options(
      JetStreamSettings settings, Consumer<Connection> onClosed, ErrorListener errors) {
    ConnectionListener listener =
        (connection, type) -> {
          if (type == ConnectionListener.Events.CLOSED
              || type == ConnectionListener.Events.DISCONNECTED) {
            onClosed.accept(connection);
          }
        };
    Options.Builder options =
        new Options.Builder()
            .servers(settings.servers().toArray(String[]::new))
            .connectionName("semel")
            .noReconnect()
            .reconnectBufferSize(0)
            .connectionTimeout(CONNECT_LIMIT)
            .pingInterval(PING_EVERY)
            .requestCleanupInterval(cleanUpEvery(settings.publishTimeout()))
            .useTimeoutException()
            .reportNoResponders()
            .maxMessagesInOutgoingQueue(MAX_TO_WRITE)
            .writeQueuePushTimeout(WRITE_LIMIT)
            .connectionListener(listener)
            .errorListener(errors);
    settings.tls().ifPresent(options::sslContext);
    return NatsAccess.apply(settings.access(), options).build();
  }

  /** How often the client checks for unanswered requests, and so how late they may fail. */
  private static Duration cleanUpEvery(Duration publishTimeout) {
    return Duration.ofMillis(Math.clamp(publishTimeout.toMillis() / 4, 25, 500));
  }

  private static Backoff fresh() {
    return new Backoff(FIRST_PAUSE, LONGEST_PAUSE);
  }

  private long mend() {
    Connection now = current;
    if (closed || (now != null && now.getStatus() == Connection.Status.CONNECTED)) {
      return LONGEST_PAUSE.toNanos();
    }
    current = null;
    closeQuietly(now);
    try {
      Connection next = connect(settings, broken -> wake(this, broken));
      failure = null;
      current = next;
      if (closed) {
        closeQuietly(next);
      }
      backoff = fresh();
      // The connection may have broken before it was the current one, when no loop was woken.
      return next.getStatus() == Connection.Status.CONNECTED
          ? LONGEST_PAUSE.toNanos()
          : backoff.nextNanos();
    } catch (IOException | RuntimeException e) {
      failure = e;
      LoopFailures.report(LOOP, e);
      return backoff.nextNanos();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return LONGEST_PAUSE.toNanos();
    }
  }

  private static void closeQuietly(@Nullable Connection connection) {
    if (connection == null) {
      return;
    }
    try {
      connection.close();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** The connection; empty: there is none now, and the loop tries to open one. */
  Optional<Connection> connection() {
    Connection now = current;
    return now != null && now.getStatus() == Connection.Status.CONNECTED
        ? Optional.of(now)
        : Optional.empty();
  }

  Connection require() {
    return connection().orElseThrow(() -> new StoreException(why()));
  }

  String why() {
    return closed ? "the transport is closed" : why(settings, failure);
  }

  boolean closed() {
    return closed;
  }

  @Override
  public void close() {
    closed = true;
    closeQuietly(current);
    loop.close();
    closeQuietly(current);
  }
}
