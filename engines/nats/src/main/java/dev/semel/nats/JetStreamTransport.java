package dev.semel.nats;

import dev.semel.InvalidInput;
import dev.semel.StoreException;
import dev.semel.internal.DurationText;
import dev.semel.internal.PrintableText;
import dev.semel.loop.internal.Loop;
import dev.semel.transport.Message;
import dev.semel.transport.PublishFailed;
import dev.semel.transport.PublishFailed.Kind;
import dev.semel.transport.PublishResult;
import dev.semel.transport.SubscribeSettings;
import dev.semel.transport.Transport;
import dev.semel.transport.spi.Subscription;
import io.nats.client.Connection;
import io.nats.client.JetStreamApiException;
import io.nats.client.JetStreamStatusException;
import io.nats.client.api.PublishAck;
import io.nats.client.api.StreamConfiguration;
import io.nats.client.impl.Headers;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A transport over a NATS JetStream stream, for relays and consumers with NATS as their broker. A
 * message's id is its {@code Nats-Msg-Id}, so the broker drops duplicates within its duplicate
 * window; after that, the inbox does. A crash leaves only the stream and its consumers, which are
 * meant to stay.
 */
public final class JetStreamTransport implements Transport {
  /** How many messages may wait for their confirmation. */
  static final int MAX_IN_FLIGHT = 4096;

  private final JetStreamSettings settings;
  private final NatsLink link;
  private final AtomicInteger inFlight = new AtomicInteger();
  private volatile StreamConfiguration stream;

  private JetStreamTransport(
      JetStreamSettings settings, NatsLink link, StreamConfiguration stream) {
    this.settings = settings;
    this.link = link;
    this.stream = stream;
  }

  /**
   * Connects, and creates or verifies the stream.
   *
   * @throws StoreException the broker is unreachable or too old, or its stream has other settings
   */
  public static JetStreamTransport connect(JetStreamSettings settings) {
    NatsLink link = NatsLink.open(settings);
    try {
      return new JetStreamTransport(settings, link, StreamCheck.ensure(link.require(), settings));
    } catch (RuntimeException e) {
      link.close();
      throw e;
    }
  }

  /**
   * Connects to the existing stream of a destination, for example to inspect it.
   *
   * @param servers as in {@link JetStreamSettings#of}
   * @throws dev.semel.transport.NoSuchDestination there is no such stream
   * @throws StoreException the broker is unreachable or too old
   */
  public static JetStreamTransport existing(String servers, String destination) {
    // A placeholder for the stream, which is found below.
    JetStreamSettings asked =
        JetStreamSettings.of(servers, StreamSettings.of("unknown", destination));
    NatsLink link = NatsLink.open(asked);
    try {
      StreamConfiguration there = StreamCheck.existing(link.require(), destination);
      return new JetStreamTransport(asked.withStream(StreamCheck.settings(there)), link, there);
    } catch (RuntimeException e) {
      link.close();
      throw e;
    }
  }

  @Override
  public String system() {
    return "nats";
  }

  @Override
  public String describe() {
    return "NATS JetStream %s at %s"
        .formatted(settings.stream().name(), String.join(", ", settings.servers()));
  }

  @Override
  public CompletionStage<PublishResult> publish(Message message) {
    return send(message, null);
  }

  /**
   * Publishes if the stream meets the condition; otherwise the stage fails with {@link
   * ExpectationFailed}.
   */
  public CompletionStage<PublishResult> publish(Message message, StreamExpectation expect) {
    return send(message, expect);
  }

  private CompletionStage<PublishResult> send(Message message, @Nullable StreamExpectation expect) {
    if (inFlight.incrementAndGet() > MAX_IN_FLIGHT) {
      inFlight.decrementAndGet();
      return CompletableFuture.failedFuture(
          new PublishFailed(
              Kind.BUSY,
              "%d messages are on their way, which is the limit: wait for their confirmation"
                  .formatted(MAX_IN_FLIGHT)));
    }
    CompletableFuture<PublishResult> result = new CompletableFuture<>();
    try {
      var unused =
          request(message, expect)
              .whenComplete(
                  (answer, failure) -> {
                    inFlight.decrementAndGet();
                    settle(result, message, answer, failure);
                  });
    } catch (PublishFailed e) {
      inFlight.decrementAndGet();
      result.completeExceptionally(e);
    } catch (IllegalStateException e) { // closed meanwhile, or its buffers are full
      inFlight.decrementAndGet();
      result.completeExceptionally(new PublishFailed(Kind.UNREACHABLE, link.why(), e));
    } catch (RuntimeException e) {
      inFlight.decrementAndGet();
      result.completeExceptionally(
          new PublishFailed(Kind.UNREACHABLE, "the client failed: " + e.getMessage(), e));
    }
    return result;
  }

  private CompletableFuture<io.nats.client.Message> request(
      Message message, @Nullable StreamExpectation expect) {
    try {
      MessageSubjects.require(message.destination());
    } catch (InvalidInput e) {
      throw new PublishFailed(Kind.REFUSED, Optional.ofNullable(e.getMessage()).orElse(""), e);
    }
    Headers headers = NatsMessages.headers(message, settings.stream().name());
    if (expect != null) {
      StreamExpectation.apply(expect, headers);
    }
    Connection connection =
        link.connection().orElseThrow(() -> new PublishFailed(Kind.UNREACHABLE, link.why()));
    long bytes = (long) headers.serializedLength() + message.payload().length;
    requireAtMost("max_payload", bytes, connection.getMaxPayload());
    requireAtMost("max_msg_size", bytes, stream.getMaximumMessageSize());
    String partition =
        MessageSubjects.partition(message.orderingKey(), settings.stream().partitions());
    return connection.requestWithTimeout(
        message.destination() + "." + partition,
        headers,
        message.payload(),
        settings.publishTimeout());
  }

  private static void requireAtMost(String name, long bytes, long limit) {
    if (limit > 0 && bytes > limit) {
      throw new PublishFailed(
          Kind.REFUSED,
          "the message is %d bytes long with its headers and the server's limit (%s) is %d: send less of it"
              .formatted(bytes, name, limit));
    }
  }

  private void settle(
      CompletableFuture<PublishResult> result,
      Message message,
      io.nats.client.@Nullable Message answer,
      @Nullable Throwable failure) {
    Throwable cause =
        failure instanceof CompletionException && failure.getCause() != null
            ? failure.getCause()
            : failure;
    if (cause instanceof JetStreamStatusException) {
      nobodyListens(result, message);
    } else if (cause != null) {
      result.completeExceptionally(
          new PublishFailed(
              Kind.UNREACHABLE,
              "NATS did not confirm the message within %s: it may be there or not"
                  .formatted(settings.publishTimeout()),
              cause));
    } else if (answer != null) {
      try {
        PublishAck ack = new PublishAck(answer);
        result.complete(new PublishResult(ack.isDuplicate(), Long.toString(ack.getSeqno())));
      } catch (JetStreamApiException e) {
        result.completeExceptionally(NatsErrors.of(e));
      } catch (IOException e) {
        result.completeExceptionally(
            new PublishFailed(Kind.UNREACHABLE, "the answer to a message can't be read", e));
      }
    }
  }

  /**
   * Handles a message that no stream accepted. That is permanent if our stream exists without its
   * subject; but a server that just started, or a stream without a leader, looks the same.
   */
  private void nobodyListens(CompletableFuture<PublishResult> result, Message message) {
    Loop.beside(
        "semel-nats-stream",
        () -> {
          String subject = message.destination() + "." + MessageSubjects.ANY;
          PublishFailed unknown =
              new PublishFailed(
                  Kind.UNREACHABLE,
                  "the stream %s did not listen just now".formatted(settings.stream().name()));
          try {
            StreamConfiguration now =
                link.require()
                    .jetStreamManagement()
                    .getStreamInfo(settings.stream().name())
                    .getConfiguration();
            stream = now;
            if (MessageSubjects.covered(subject, now.getSubjects())) {
              result.completeExceptionally(unknown);
            } else {
              result.completeExceptionally(
                  new PublishFailed(
                      Kind.REFUSED,
                      "the stream %s takes nothing for the destination %s: add it to the stream, or send elsewhere"
                          .formatted(now.getName(), PrintableText.quoted(message.destination()))));
            }
          } catch (JetStreamApiException e) {
            result.completeExceptionally(
                e.getApiErrorCode() == NatsErrors.STREAM_NOT_FOUND
                    ? new PublishFailed(
                        Kind.UNREACHABLE,
                        "the stream %s is gone: create it again"
                            .formatted(settings.stream().name()))
                    : unknown);
          } catch (IOException | RuntimeException e) {
            result.completeExceptionally(unknown);
          }
        });
  }

  /** False: a message that failed may be overtaken by the next one of its key. */
  @Override
  public boolean keepsOrder() {
    return false;
  }

  @Override
  public Subscription subscribe(String destination, String consumer, SubscribeSettings how) {
    MessageSubjects.require(destination);
    Transport.requireConsumer(consumer);
    PartitionConsumers partitions =
        new PartitionConsumers(settings.stream(), destination, consumer, how);
    partitions.ensure(link.require());
    return new PartitionReader(link, partitions, settings.publishTimeout());
  }

  @Override
  public List<String> hazards(Duration retrySpan) {
    Connection connection = link.require();
    try {
      StreamConfiguration now =
          connection
              .jetStreamManagement()
              .getStreamInfo(settings.stream().name())
              .getConfiguration();
      return JetStreamHazards.of(now, connection.getServerInfo(), retrySpan);
    } catch (IOException | JetStreamApiException e) {
      throw new StoreException("the stream's settings can't be read: try again", e);
    }
  }

  @Override
  public List<String> setUp() {
    Connection connection = link.require();
    try {
      StreamConfiguration now =
          connection
              .jetStreamManagement()
              .getStreamInfo(settings.stream().name())
              .getConfiguration();
      return List.of(
          "NATS %s, the stream %s knows ids for %s"
              .formatted(
                  connection.getServerInfo().getVersion(),
                  now.getName(),
                  DurationText.format(StreamCheck.orZero(now.getDuplicateWindow()))));
    } catch (IOException | JetStreamApiException e) {
      throw new StoreException("the stream's settings can't be read: try again", e);
    }
  }

  /**
   * Deletes a temporary stream with its messages and consumers; nothing may use it any more. A
   * missing stream is no error.
   *
   * @throws StoreException it may still exist
   */
  public void remove() {
    StreamCheck.remove(link.require(), settings.stream().name());
  }

  @Override
  public void close() {
    link.close();
  }
}
