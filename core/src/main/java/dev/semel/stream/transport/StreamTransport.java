package dev.semel.stream.transport;

import dev.semel.InvalidInput;
import dev.semel.StoreException;
import dev.semel.internal.Ids;
import dev.semel.stream.StreamPath;
import dev.semel.stream.client.DurableStream;
import dev.semel.stream.client.StreamClient;
import dev.semel.stream.client.StreamRefused;
import dev.semel.transport.Message;
import dev.semel.transport.PublishFailed;
import dev.semel.transport.PublishFailed.Kind;
import dev.semel.transport.PublishResult;
import dev.semel.transport.SubscribeSettings;
import dev.semel.transport.Transport;
import dev.semel.transport.spi.ConsumerPositions;
import dev.semel.transport.spi.PartitionShare;
import dev.semel.transport.spi.Subscription;
import java.net.URI;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A transport over durable streams of a Semel server. While it runs, a message that is sent again
 * for lack of an answer is stored once. A message that another process sends again, or this one
 * after a crash, is stored twice, and the inbox drops it. A crash leaves only the streams, which
 * are meant to stay.
 */
public final class StreamTransport implements Transport {
  /** Each partition that is written to has a thread and some memory. */
  static final int MAX_WRITERS = 4096;

  private final StreamClient client;
  private final StreamTransportSettings settings;
  private final UnconfirmedLimit room = new UnconfirmedLimit();
  private final String producerId = "semel-" + Ids.uuid7();
  private final Map<String, PartitionWriter> writers = new ConcurrentHashMap<>();
  private final AtomicInteger turn = new AtomicInteger();
  private volatile boolean closed;

  private StreamTransport(StreamClient client, StreamTransportSettings settings) {
    this.client = client;
    this.settings = settings;
  }

  /**
   * Sends nothing yet.
   *
   * @param client made by {@link StreamClient#connect}, with its token; closing the transport
   *     closes it
   */
  public static StreamTransport over(StreamClient client, StreamTransportSettings settings) {
    DurableStream unused = client.stream(settings.prefix()); // throws if the client has no server
    return new StreamTransport(client, settings);
  }

  @Override
  public String describe() {
    URI any = client.stream(settings.prefix()).url();
    return "Semel streams below %s at %s://%s"
        .formatted(settings.prefix(), any.getScheme(), any.getRawAuthority());
  }

  @Override
  public CompletionStage<PublishResult> publish(Message message) {
    if (closed) {
      return CompletableFuture.failedFuture(
          new PublishFailed(Kind.UNREACHABLE, "the transport is closed"));
    }
    try {
      return writer(path(message.destination(), partition(message))).publish(message);
    } catch (PublishFailed e) {
      return CompletableFuture.failedFuture(e);
    } catch (InvalidInput e) {
      return CompletableFuture.failedFuture(
          new PublishFailed(Kind.REFUSED, String.valueOf(e.getMessage()), e));
    }
  }

  /** Messages of one key always go to the same partition, the others in turn. */
  private int partition(Message message) {
    int number = message.ordered() ? message.orderingKey().hashCode() : turn.getAndIncrement();
    return Math.floorMod(number, settings.partitions());
  }

  private String path(String destination, int partition) {
    return new StreamPath(settings.prefix() + '/' + destination + '/' + partition).text();
  }

  private PartitionWriter writer(String path) {
    PartitionWriter known = writers.get(path);
    if (known != null) {
      return known;
    }
    if (writers.size() >= MAX_WRITERS) {
      throw new PublishFailed(
          Kind.REFUSED,
          "%d partitions are written to, which is the limit: send to fewer destinations"
              .formatted(MAX_WRITERS));
    }
    return writers.computeIfAbsent(
        path, name -> new PartitionWriter(client.stream(name), producerId, settings, room));
  }

  /** After a producer had to be replaced, the next message of a key may overtake an earlier one. */
  @Override
  public boolean keepsOrder() {
    return false;
  }

  /** Works only if the settings have positions, and then effects may be repeated. */
  @Override
  public Subscription subscribe(String destination, String consumer, SubscribeSettings how) {
    ConsumerPositions own =
        settings
            .positions()
            .orElseThrow(
                () ->
                    new InvalidInput(
                        "streams remember no acknowledgements: subscribe with the inbox's"
                            + " positions, or put some into the transport's settings"));
    return subscription(destination, consumer, how, own, true);
  }

  @Override
  public Subscription subscribe(
      String destination, String consumer, SubscribeSettings how, ConsumerPositions positions) {
    return subscription(destination, consumer, how, positions, false);
  }

  private Subscription subscription(
      String destination,
      String consumer,
      SubscribeSettings how,
      ConsumerPositions positions,
      boolean moves) {
    Transport.requireConsumer(consumer);
    if (closed) {
      throw new StoreException("the transport is closed");
    }
    Map<String, PartitionSource.Partition> partitions = new LinkedHashMap<>();
    for (int i = 0; i < settings.partitions(); i++) {
      String path = path(destination, i);
      partitions.put(
          path,
          new PartitionSource.Partition(destination, path, client.stream(path), settings.create()));
    }
    PartitionShare.Terms terms =
        new PartitionShare.Terms(consumer, partitions.keySet(), settings.lease());
    return new StreamSubscription(partitions, terms, how, positions, moves);
  }

  @Override
  public List<String> hazards(Duration retrySpan) {
    return List.of(
        "a message that another process sends again, as after a crash, is stored twice: keep ids in"
            + " the inbox for longer than %d hours, which is how long messages are sent again"
                .formatted(retrySpan.toHours()));
  }

  /**
   * Deletes a destination with all its messages, such as a temporary one; nothing may use it any
   * more. A missing destination is no error.
   *
   * @throws StoreException it may still exist
   */
  public void remove(String destination) {
    for (int partition = 0; partition < settings.partitions(); partition++) {
      try {
        client.stream(path(destination, partition)).delete();
      } catch (StreamRefused e) {
        if (e.reason() != StreamRefused.Reason.NOT_FOUND
            && e.reason() != StreamRefused.Reason.GONE) {
          throw e;
        }
      }
    }
  }

  @Override
  public void close() {
    closed = true;
    writers.values().forEach(PartitionWriter::close);
    client.close();
  }
}
