package dev.semel.nats;

import dev.semel.StoreException;
import dev.semel.loop.Backoff;
import dev.semel.loop.Loop;
import dev.semel.loop.Machine;
import io.nats.client.Connection;
import io.nats.client.ConnectionListener;
import io.nats.client.ErrorListener;
import io.nats.client.Nats;
import io.nats.client.Options;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A connection that is replaced when it breaks. The client's own reconnecting is off: it keeps what
 * it could not write and sends it later, when whoever wanted it sent was told long ago that it
 * failed. So a broken connection takes everything with it that was on its way.
 */
final class Link implements AutoCloseable {
  private static final Duration CONNECT_LIMIT = Duration.ofSeconds(3);
  private static final Duration FIRST_PAUSE = Duration.ofMillis(50);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(2);

  /** Three of these without an answer, and the connection counts as broken. */
  private static final Duration PING_EVERY = Duration.ofSeconds(5);

  /** How many messages wait to be written, and how long a caller waits for a place among them. */
  private static final int MAX_TO_WRITE = 8192;

  private static final Duration WRITE_LIMIT = Duration.ofSeconds(1);

  private final JetStreamSettings settings;
  private final Loop loop;
  private volatile @Nullable Connection current;
  private volatile boolean closed;
  private Backoff backoff = fresh();

  private Link(JetStreamSettings settings, Connection first) {
    this.settings = settings;
    this.current = first;
    this.loop =
        Loop.startTimed(Machine.REAL, "semel-nats-link", this::mend, LONGEST_PAUSE, failure -> {});
  }

  static Link open(JetStreamSettings settings) {
    try {
      // The listener needs the link, which needs the connection: so it is told of the second one.
      Link[] made = new Link[1];
      Connection first = Nats.connect(options(settings, () -> wake(made[0])));
      made[0] = new Link(settings, first);
      wake(made[0]);
      return made[0];
    } catch (IOException e) {
      throw new StoreException(unreachable(settings), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new StoreException("interrupted while connecting to NATS", e);
    }
  }

  private static void wake(@Nullable Link link) {
    if (link != null) {
      link.loop.wake();
    }
  }

  static String unreachable(JetStreamSettings settings) {
    return "NATS can't be reached at %s: is it there, and may we in?"
        .formatted(String.join(", ", settings.servers()));
  }

  private static Options options(JetStreamSettings settings, Runnable onClosed) {
    ConnectionListener listener =
        (connection, type) -> {
          if (type == ConnectionListener.Events.CLOSED
              || type == ConnectionListener.Events.DISCONNECTED) {
            onClosed.run();
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
            .errorListener(new ErrorListener() {}); // the client's own would write to a log
    return Access.apply(settings.access(), options).build();
  }

  /** Requests without an answer are looked for that often, so it is how late they may fail. */
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
      Connection next = Nats.connect(options(settings, this::wakeUp));
      current = next;
      if (closed) {
        closeQuietly(next);
      }
      backoff = fresh();
      return LONGEST_PAUSE.toNanos();
    } catch (IOException | RuntimeException e) {
      return backoff.nextNanos();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return LONGEST_PAUSE.toNanos();
    }
  }

  private void wakeUp() {
    loop.wake();
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

  /** Empty: there is none right now, and a new one is being tried for. */
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
    return closed ? "the transport is closed" : unreachable(settings);
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
