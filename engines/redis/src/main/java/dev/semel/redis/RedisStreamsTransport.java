package dev.semel.redis;

import dev.semel.InvalidInput;
import dev.semel.StoreException;
import dev.semel.internal.PrintableText;
import dev.semel.redis.internal.RedisAccess;
import dev.semel.redis.internal.RedisLink;
import dev.semel.redis.internal.streams.PartitionBell;
import dev.semel.redis.internal.streams.PartitionWriter;
import dev.semel.redis.internal.streams.ReaderGroup;
import dev.semel.redis.internal.streams.StreamHazards;
import dev.semel.redis.internal.streams.StreamPartition;
import dev.semel.redis.internal.streams.StreamReader;
import dev.semel.redis.internal.streams.StreamScript;
import dev.semel.transport.Message;
import dev.semel.transport.NoSuchDestination;
import dev.semel.transport.PublishFailed;
import dev.semel.transport.PublishFailed.Kind;
import dev.semel.transport.PublishResult;
import dev.semel.transport.SubscribeSettings;
import dev.semel.transport.Transport;
import dev.semel.transport.spi.Subscription;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A transport over Redis Streams, on one Redis or on a cluster, for relays and consumers without a
 * separate broker. A destination has several streams, its partitions; messages with the same
 * ordering key share one, and each partition of a consumer has one reader at a time. Redis drops
 * duplicates within the duplicate window; after that, the inbox does. Only messages that all
 * consumers have finished are trimmed.
 *
 * <p>A confirmed message is as durable as Redis is configured to be: see {@link RedisStore}. After
 * a crash of this process its leases expire.
 */
public final class RedisStreamsTransport implements Transport {
  /** How many messages may wait for their confirmation. */
  static final int MAX_IN_FLIGHT = 4096;

  /** How many destinations' numbers of partitions are cached. */
  static final int MAX_DESTINATIONS = 10_000;

  /** The shortest lease of a partition, however short the time to acknowledge is. */
  private static final Duration SHORTEST_LEASE = Duration.ofSeconds(2);

  private final RedisStreamsSettings settings;
  private final RedisAccess access;
  private final PartitionBell bell;
  private final AtomicInteger inFlight = new AtomicInteger();
  private final Map<String, CompletableFuture<List<PartitionWriter>>> destinations =
      new ConcurrentHashMap<>();

  private RedisStreamsTransport(RedisStreamsSettings settings, RedisAccess access) {
    this.settings = settings;
    this.access = access;
    this.bell = new PartitionBell(access.link(), access.listen());
  }

  /**
   * Connects, and refuses a server that is too old or may evict messages.
   *
   * @throws StoreException the server is unreachable or unsuitable
   */
  public static RedisStreamsTransport connect(RedisStreamsSettings settings) {
    RedisAccess access = RedisAccess.open(settings.url());
    try {
      return new RedisStreamsTransport(settings, access);
    } catch (RuntimeException e) {
      access.close();
      throw e;
    }
  }

  /**
   * Connects to an existing destination with its number of partitions, for example to inspect it.
   * Writes nothing.
   *
   * @param settings its number of partitions is ignored
   * @throws NoSuchDestination the destination does not exist
   * @throws StoreException the server is unreachable or unsuitable
   */
  public static RedisStreamsTransport existing(RedisStreamsSettings settings, String destination) {
    StreamPartition.requireDestination(destination);
    RedisStreamsTransport transport = connect(settings);
    try {
      Long partitions =
          transport
              .access
              .link()
              .number(
                  StreamScript.PARTITIONS_THERE, new byte[][] {StreamPartition.count(destination)});
      if (partitions == null || partitions == 0) {
        throw new NoSuchDestination(
            "nobody has used the destination %s here yet: send something to it, or name another"
                .formatted(PrintableText.quoted(destination)));
      }
      List<PartitionWriter> outlets = transport.outlets(destination, partitions.intValue());
      transport.destinations.put(destination, CompletableFuture.completedFuture(outlets));
      return transport;
    } catch (RuntimeException e) {
      transport.close();
      throw e;
    }
  }

  @Override
  public String system() {
    return "redis";
  }

  @Override
  public String describe() {
    return "Redis Streams at " + access.describe();
  }

  @Override
  public CompletionStage<PublishResult> publish(Message message) {
    PublishFailed refused = refusal(message);
    if (refused != null) {
      return CompletableFuture.failedFuture(refused);
    }
    if (inFlight.incrementAndGet() > MAX_IN_FLIGHT) {
      inFlight.decrementAndGet();
      return CompletableFuture.failedFuture(
          new PublishFailed(
              Kind.BUSY,
              "%d messages are on their way, which is the limit: wait for their confirmation"
                  .formatted(MAX_IN_FLIGHT)));
    }
    CompletableFuture<List<PartitionWriter>> outlets = outlets(message.destination());
    CompletableFuture<PublishResult> result =
        outlets.isDone() && !outlets.isCompletedExceptionally()
            ? send(outlets.join(), message)
            : outlets.thenCompose(all -> send(all, message)).exceptionallyCompose(this::failed);
    return result.whenComplete((published, failure) -> inFlight.decrementAndGet());
  }

  private static CompletableFuture<PublishResult> send(
      List<PartitionWriter> outlets, Message message) {
    int partition = StreamPartition.of(message, outlets.size()).number();
    return outlets.get(partition).publish(message).toCompletableFuture();
  }

  private CompletionStage<PublishResult> failed(Throwable thrown) {
    Throwable cause = RedisLink.cause(thrown);
    return CompletableFuture.failedFuture(
        cause instanceof PublishFailed
            ? cause
            : new PublishFailed(Kind.UNREACHABLE, String.valueOf(cause.getMessage()), cause));
  }

  private @Nullable PublishFailed refusal(Message message) {
    try {
      StreamPartition.requireDestination(message.destination());
    } catch (InvalidInput e) {
      return new PublishFailed(Kind.REFUSED, String.valueOf(e.getMessage()), e);
    }
    long bytes = message.bytes();
    return bytes <= settings.maxMessageBytes()
        ? null
        : new PublishFailed(
            Kind.REFUSED,
            "the message is %d bytes long with its headers and the limit (maxMessageBytes) is %d: send less of it, or raise the limit"
                .formatted(bytes, settings.maxMessageBytes()));
  }

  /** One writer per partition; Redis stores how many these are. */
  private CompletableFuture<List<PartitionWriter>> outlets(String destination) {
    CompletableFuture<List<PartitionWriter>> known = destinations.get(destination);
    if (known != null && !known.isCompletedExceptionally()) {
      return known;
    }
    if (destinations.size() >= MAX_DESTINATIONS) {
      destinations.clear(); // messages in flight still arrive
    }
    return destinations.compute(
        destination,
        (name, now) -> now == null || now.isCompletedExceptionally() ? ask(name) : now);
  }

  private CompletableFuture<List<PartitionWriter>> ask(String destination) {
    return access
        .link()
        .<Long>start(
            StreamScript.PARTITIONS,
            new byte[][] {StreamPartition.count(destination)},
            RedisLink.ascii(settings.partitions()))
        .thenApply(partitions -> outlets(destination, partitions.intValue()));
  }

  private List<PartitionWriter> outlets(String destination, int partitions) {
    return IntStream.range(0, partitions)
        .mapToObj(number -> outlet(new StreamPartition(destination, number)))
        .toList();
  }

  private PartitionWriter outlet(StreamPartition partition) {
    return new PartitionWriter(access.link(), access.waits(), partition, settings);
  }

  /** False: a message that failed may be overtaken by the next one of its key. */
  @Override
  public boolean keepsOrder() {
    return false;
  }

  @Override
  public Subscription subscribe(String destination, String consumer, SubscribeSettings how) {
    StreamPartition.requireDestination(destination);
    Transport.requireConsumer(consumer);
    int partitions = partitions(destination);
    List<CompletableFuture<Long>> made = new ArrayList<>();
    for (int number = 0; number < partitions; number++) {
      byte[][] stream = {new StreamPartition(destination, number).stream()};
      made.add(access.link().start(StreamScript.GROUP, stream, RedisLink.ascii(consumer)));
    }
    made.forEach(access.link()::finish);
    Duration shorter = shorter(settings.lease(), longer(how.ackWithin(), SHORTEST_LEASE));
    ReaderGroup readership =
        new ReaderGroup(
            destination, consumer, partitions, shorter, longer(how.ackWithin(), shorter));
    return new StreamReader(access.link(), readership, how, bell);
  }

  private int partitions(String destination) {
    return access.link().finish(outlets(destination)).size();
  }

  private static Duration shorter(Duration a, Duration b) {
    return a.compareTo(b) < 0 ? a : b;
  }

  private static Duration longer(Duration a, Duration b) {
    return a.compareTo(b) < 0 ? b : a;
  }

  /**
   * Releases the messages of a consumer that will never come back, which would otherwise be kept
   * for ever. If it does come back, it begins with the messages that are left.
   *
   * @throws InvalidInput the consumer is in use
   */
  public void forget(String destination, String consumer) {
    StreamPartition.requireDestination(destination);
    Transport.requireConsumer(consumer);
    boolean used = false;
    for (int number = 0; number < partitions(destination); number++) {
      StreamPartition partition = new StreamPartition(destination, number);
      Long done =
          access
              .link()
              .number(
                  StreamScript.FORGET,
                  new byte[][] {partition.stream(), partition.lease(consumer)},
                  RedisLink.ascii(consumer));
      used |= done == null || done == 0;
    }
    if (used) {
      throw new InvalidInput(
          "the consumer %s is being used: close it in all processes, and try again when its lease has ended"
              .formatted(PrintableText.quoted(consumer)));
    }
  }

  /**
   * Deletes a temporary destination with all its messages; nothing may use it any more. A missing
   * destination is no error.
   *
   * @param consumers the consumers whose state is deleted too
   * @throws StoreException it may still exist
   */
  public void remove(String destination, String... consumers) {
    StreamPartition.requireDestination(destination);
    for (int number = 0; number < partitions(destination); number++) {
      StreamPartition partition = new StreamPartition(destination, number);
      List.of(partition.stream(), partition.ids(), partition.earlierIds(), partition.rest())
          .forEach(this::delete);
      for (String consumer : consumers) {
        delete(partition.lease(consumer));
      }
    }
    for (String consumer : consumers) {
      delete(StreamPartition.members(destination, consumer));
    }
    delete(StreamPartition.count(destination));
    destinations.remove(destination);
  }

  private void delete(byte[] key) {
    Long unused = access.link().get(commands -> commands.del(key));
  }

  /** Also warns about destinations used here that fill up because a consumer is absent. */
  @Override
  public List<String> hazards(Duration retrySpan) {
    List<String> found = new ArrayList<>(access.hazards());
    found.addAll(StreamHazards.ofWindow(settings.duplicateWindow(), retrySpan));
    destinations.forEach(
        (destination, outlets) -> {
          if (outlets.isDone() && !outlets.isCompletedExceptionally()) {
            int partitions = outlets.join().size();
            found.addAll(
                StreamHazards.ofPartitions(access.link(), destination, partitions, settings));
          }
        });
    return found;
  }

  @Override
  public void close() {
    access.close();
  }
}
