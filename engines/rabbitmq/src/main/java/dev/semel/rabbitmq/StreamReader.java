package dev.semel.rabbitmq;

import com.rabbitmq.stream.Environment;
import dev.semel.StoreException;
import dev.semel.loop.Platform;
import dev.semel.transport.spi.ConsumerPositions;
import dev.semel.transport.spi.Delivery;
import dev.semel.transport.spi.LogPosition;
import dev.semel.transport.spi.PartitionBuffer;
import dev.semel.transport.spi.PartitionShare;
import dev.semel.transport.spi.SubscribeSettings;
import dev.semel.transport.spi.Subscription;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Reads the partitions that this member of the consumer has leased, each from the consumer's
 * position. When the broker dropped unread messages, this fails instead of leaving a gap.
 */
final class StreamReader implements Subscription {
  private static final Duration LOOK_EVERY = Duration.ofMillis(100);

  /** The shortest lease, however short the time to acknowledge is. */
  private static final Duration SHORTEST_LEASE = Duration.ofSeconds(2);

  private final StreamLink link;
  private final String destination;
  private final String consumer;
  private final ConsumerPositions positions;
  private final boolean placed;
  private final Set<String> streams = new HashSet<>();
  private final PartitionBuffer buffer;
  private final PartitionShare share;
  private final Map<String, PartitionStream> open = new HashMap<>();
  private final Semaphore bell = new Semaphore(0);
  private boolean closed;

  /**
   * @param placed whether the handler moves the position; otherwise its acknowledgement does
   */
  StreamReader(
      StreamLink link,
      Address address,
      SubscribeSettings how,
      ConsumerPositions positions,
      boolean placed) {
    this.link = link;
    this.destination = address.destination();
    this.consumer = address.consumer();
    this.positions = positions;
    this.placed = placed;
    address
        .partitions()
        .names()
        .forEach(partition -> streams.add(RabbitNames.stream(destination, partition)));
    this.buffer = new PartitionBuffer(Platform.REAL, how, placed, this::tell);
    Duration lease =
        how.ackWithin().compareTo(SHORTEST_LEASE) < 0 ? SHORTEST_LEASE : how.ackWithin();
    this.share =
        PartitionShare.start(
            Platform.REAL, positions, new PartitionShare.Terms(consumer, streams, lease), buffer);
  }

  /** The destination and the consumer's name. */
  record Address(String destination, String consumer, RabbitNames partitions) {}

  @Override
  public List<Delivery> receive(int limit, Duration patience) throws InterruptedException {
    long deadline = System.nanoTime() + patience.toNanos();
    while (true) {
      if (closed) {
        throw new StoreException("the subscription is closed: subscribe again");
      }
      bell.drainPermits();
      share.update();
      openAll(deadline);
      open.forEach(this::fill);
      List<Delivery> taken = buffer.take(limit);
      long left = deadline - System.nanoTime();
      if (!taken.isEmpty() || left <= 0) {
        return taken;
      }
      long rest = Math.min(left, LOOK_EVERY.toNanos());
      rest = share.nanosUntilDue(buffer.nanosUntilDue(rest));
      if (bell.tryAcquire(Math.max(1, rest), TimeUnit.NANOSECONDS)) {
        bell.drainPermits();
      }
    }
  }

  private void openAll(long deadline) throws InterruptedException {
    while (link.environment().isEmpty()) {
      if (System.nanoTime() - deadline >= 0 || link.closed()) {
        throw new StoreException(link.why());
      }
      TimeUnit.NANOSECONDS.sleep(LOOK_EVERY.toNanos());
    }
    Environment environment = link.require();
    if (open.values().stream().anyMatch(each -> each.isBroken(environment))) {
      closeAll();
      link.broken(environment);
      throw new StoreException(link.why());
    }
    Set<String> mine = buffer.partitions();
    open.entrySet().removeIf(each -> !mine.contains(each.getKey()) && closed(each.getValue()));
    for (String partition : mine) {
      PartitionStream now = open.get(partition);
      String position = buffer.fetched(partition);
      if (now == null || !now.isGood(environment, position)) {
        open(environment, partition, position);
      }
    }
  }

  private static boolean closed(PartitionStream stream) {
    stream.close();
    return true;
  }

  private void open(Environment environment, String partition, String position) {
    PartitionStream last = open.remove(partition);
    if (last != null) {
      last.close();
    }
    try {
      if (!position.isEmpty()) {
        requireThere(environment, partition, Long.parseLong(position));
      }
      open.put(partition, new PartitionStream(environment, partition, position, bell::release));
    } catch (PartitionTruncated e) {
      throw e;
    } catch (StoreException e) {
      boolean unused = link.isAway(environment, partition);
      throw e;
    }
  }

  /** Fails if messages are missing, because the broker would silently begin elsewhere. */
  private void requireThere(Environment environment, String partition, long position) {
    long first = new StreamEnds(environment).first(partition);
    if (first > position) {
      throw new PartitionTruncated(
          "the consumer %s stands at %d in the stream %s, which begins at %d: its retention dropped what was never received. Keep messages longer, or set the consumer's position to go on without them"
              .formatted(consumer, position, partition, first));
    }
  }

  private void fill(String partition, PartitionStream from) {
    while (!from.isEmpty() && buffer.hasRoom(partition)) {
      from.next(
          (offset, message) -> {
            String at = buffer.fetched(partition);
            long expected = at.isEmpty() ? offset : Long.parseLong(at);
            if (offset < expected) {
              return; // the chunk began before the position
            }
            if (offset > expected) {
              // A gap is harmless if the broker's own entries took the offsets; otherwise messages
              // were dropped.
              requireThere(link.require(), partition, expected);
            }
            String next = Long.toString(offset + 1);
            buffer.add(
                partition, next, StreamWire.read(destination, message, partition + ":" + offset));
            from.expect(next);
          });
    }
  }

  private void tell(List<LogPosition> places) {
    if (!placed) {
      share.advance(places);
    }
  }

  @Override
  public void acknowledge(List<Delivery> deliveries) {
    buffer.acknowledge(deliveries);
  }

  @Override
  public Optional<ConsumerPositions> positions() {
    return placed ? Optional.of(positions) : Optional.empty();
  }

  @Override
  public void reposition() {
    share.reposition();
  }

  /** Counts all partitions, including other members'; the broker's own entries count too. */
  @Override
  public long lag() {
    StreamEnds ends = new StreamEnds(link.require());
    Map<String, String> stands = positions.read(consumer, streams);
    long lag = 0;
    for (String stream : streams) {
      long last = ends.last(stream);
      String position = stands.getOrDefault(stream, "");
      long from = position.isEmpty() ? Math.max(0, ends.first(stream)) : Long.parseLong(position);
      lag += Math.max(0, last + 1 - from);
    }
    return lag;
  }

  private void closeAll() {
    open.values().forEach(PartitionStream::close);
    open.clear();
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      closeAll();
      share.close();
    }
  }
}
