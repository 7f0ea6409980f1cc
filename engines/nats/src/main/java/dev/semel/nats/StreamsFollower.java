package dev.semel.nats;

import dev.semel.StoreException;
import dev.semel.loop.Platform;
import dev.semel.loop.internal.Loop;
import dev.semel.stream.spi.SharedLog;
import io.nats.client.Connection;
import io.nats.client.JetStreamApiException;
import io.nats.client.Message;
import io.nats.client.Subscription;
import io.nats.client.api.AckPolicy;
import io.nats.client.api.ConsumerConfiguration;
import io.nats.client.api.ConsumerInfo;
import io.nats.client.api.DeliverPolicy;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Reads a JetStream stream in order from its first message, across broken connections and lost
 * servers. Its consumer is ephemeral: when anything goes wrong, a new one continues after the last
 * message taken. The consumer's own count, which has no gaps, shows that no message was lost.
 */
final class StreamsFollower implements AutoCloseable {
  private static final Duration PULL_EXPIRES = Duration.ofSeconds(2);

  /** After this long without an answer to a pull, the consumer or its server is gone. */
  private static final Duration PULL_LOST = Duration.ofSeconds(3);

  /** How often the server sends a heartbeat. */
  private static final Duration HEARTBEAT = Duration.ofMillis(500);

  /** After this long without any sign of life, the pull is gone. */
  private static final Duration SILENCE = Duration.ofMillis(1_600);

  private static final Duration PAUSE = Duration.ofMillis(100);
  private static final Duration FORGOTTEN = Duration.ofSeconds(30);
  private static final int BATCH = 1_000;

  /** The most bytes that may be in flight. */
  private static final long MAX_BYTES = 16L << 20;

  private final NatsLink link;
  private final StreamsSettings settings;
  private final SharedLog.Follower follower;
  private final Loop loop;
  private long taken;
  private volatile boolean closed;

  private StreamsFollower(
      NatsLink link, StreamsSettings settings, long after, SharedLog.Follower follower) {
    this.taken = after;
    this.link = link;
    this.settings = settings;
    this.follower = follower;
    this.loop = Loop.start(Platform.REAL, "semel-streams-follow", this::follow, PAUSE);
  }

  static StreamsFollower start(
      NatsLink link, StreamsSettings settings, long after, SharedLog.Follower follower) {
    return new StreamsFollower(link, settings, after, follower);
  }

  /** Follows the stream with one consumer for as long as that works. */
  private boolean follow() throws IOException, JetStreamApiException, InterruptedException {
    Connection connection = link.connection().orElse(null);
    if (connection == null) {
      return false;
    }
    ConsumerInfo consumer =
        connection.jetStreamManagement().addOrUpdateConsumer(settings.name(), configuration());
    String inbox = connection.createInbox();
    Subscription subscription = connection.subscribe(inbox);
    subscription.setPendingLimits(-1, -1);
    try {
      pullAll(connection, subscription, consumer.getName(), inbox);
    } catch (IllegalStateException e) {
      return false; // the connection or the subscription was closed
    } finally {
      forget(connection, subscription, consumer.getName());
    }
    return false;
  }

  private ConsumerConfiguration configuration() {
    return ConsumerConfiguration.builder()
        .ackPolicy(AckPolicy.None)
        .deliverPolicy(DeliverPolicy.ByStartSequence)
        .startSequence(taken + 1)
        .memStorage(true)
        .numReplicas(1)
        .inactiveThreshold(FORGOTTEN)
        .build();
  }

  private void pullAll(
      Connection connection, Subscription subscription, String consumer, String inbox)
      throws InterruptedException {
    long next = 1; // by the consumer's own count
    while (!closed) {
      long left = BATCH;
      request(connection, consumer, inbox);
      long deadline = System.nanoTime() + PULL_LOST.toNanos();
      while (left > 0 && !closed) {
        Message message = subscription.nextMessage(SILENCE);
        if (message == null || System.nanoTime() - deadline > 0) {
          return;
        }
        if (message.isStatusMessage()) {
          int code = message.getStatus().getCode();
          if (code == 100) {
            continue; // a heartbeat
          }
          if (code != 408 && code != 404 && !full(message)) {
            return;
          }
          break; // this pull has ended
        }
        if (message.metaData().consumerSequence() != next) {
          return; // a message was lost
        }
        next++;
        left--;
        long sequence = message.metaData().streamSequence();
        take(sequence, message.getData());
        taken = sequence;
        deadline = System.nanoTime() + PULL_LOST.toNanos();
      }
    }
  }

  /**
   * Passes a message on. A bug there must not look like a closed connection, which is not reported.
   */
  private void take(long sequence, byte[] message) {
    try {
      follower.take(sequence, message);
    } catch (IllegalStateException e) {
      throw new StoreException("message %d of the log was not taken".formatted(sequence), e);
    }
  }

  /** Whether the pull reached its limit of bytes. */
  private static boolean full(Message message) {
    String said = String.valueOf(message.getStatus().getMessage());
    return message.getStatus().getCode() == 409
        && (said.startsWith("Batch Completed") || said.startsWith("Message Size Exceeds"));
  }

  private void request(Connection connection, String consumer, String inbox) {
    long bytes = Math.max(MAX_BYTES, 2 * connection.getMaxPayload());
    String pull =
        "{\"batch\":"
            + BATCH
            + ",\"max_bytes\":"
            + bytes
            + ",\"expires\":"
            + PULL_EXPIRES.toNanos()
            + ",\"idle_heartbeat\":"
            + HEARTBEAT.toNanos()
            + "}";
    connection.publish(
        "$JS.API.CONSUMER.MSG.NEXT." + settings.name() + "." + consumer,
        inbox,
        pull.getBytes(StandardCharsets.US_ASCII));
  }

  private void forget(Connection connection, Subscription subscription, @Nullable String consumer) {
    try {
      if (subscription.isActive()) {
        subscription.unsubscribe();
      }
      if (consumer != null && connection.getStatus() == Connection.Status.CONNECTED) {
        connection.publish(
            "$JS.API.CONSUMER.DELETE." + settings.name() + "." + consumer, new byte[0]);
      }
    } catch (IllegalStateException e) {
      // JetStream deletes an inactive consumer.
    }
  }

  @Override
  public void close() {
    closed = true;
    loop.close();
  }
}
