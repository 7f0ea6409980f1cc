package dev.semel.stream.transport;

import dev.semel.StoreException;
import dev.semel.loop.Platform;
import dev.semel.transport.SubscribeSettings;
import dev.semel.transport.spi.ConsumerPositions;
import dev.semel.transport.spi.Delivery;
import dev.semel.transport.spi.PartitionBuffer;
import dev.semel.transport.spi.PartitionShare;
import dev.semel.transport.spi.Subscription;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** One subscriber to a destination's partitions. */
final class StreamSubscription implements Subscription {
  /** Counting the messages of a partition stops here. */
  static final long MAX_COUNTED = 10_000;

  /**
   * The shortest pause: a due message may be waiting for an acknowledgement, which is not foreseen.
   */
  private static final long SHORTEST_REST_NANOS = 2_000_000;

  private final Map<String, PartitionSource.Partition> partitions;
  private final PartitionBuffer buffer;
  private final PartitionShare share;
  private final Optional<ConsumerPositions> given;
  private final Map<String, PartitionSource> sources = new HashMap<>();
  private final AtomicBoolean news = new AtomicBoolean();
  private volatile @Nullable Thread waiter;
  private @Nullable StoreException failure;
  private volatile boolean closed;

  /**
   * Joins the consumer's members.
   *
   * @param terms the terms on which members share partitions
   * @param kept where positions are stored
   * @param moves true: acknowledgements move positions; else the receiver does
   */
  StreamSubscription(
      Map<String, PartitionSource.Partition> partitions,
      PartitionShare.Terms terms,
      SubscribeSettings settings,
      ConsumerPositions kept,
      boolean moves) {
    this.partitions = Map.copyOf(partitions);
    this.given = moves ? Optional.empty() : Optional.of(kept);
    this.buffer =
        new PartitionBuffer(
            Platform.REAL,
            settings,
            !moves,
            places -> {
              if (moves) {
                sharing().advance(places);
              }
            });
    this.share = PartitionShare.start(Platform.REAL, kept, terms, buffer);
  }

  private PartitionShare sharing() {
    return share;
  }

  @Override
  public List<Delivery> receive(int limit, Duration patience) throws InterruptedException {
    long deadline = System.nanoTime() + patience.toNanos();
    waiter = Thread.currentThread();
    while (true) {
      news.set(false);
      update();
      List<Delivery> taken = buffer.take(limit);
      StoreException why = failure;
      if (taken.isEmpty() && why != null) {
        failure = null;
        throw why;
      }
      long left = deadline - System.nanoTime();
      if (!taken.isEmpty() || left <= 0) {
        return taken;
      }
      long rest = share.nanosUntilDue(buffer.nanosUntilDue(left));
      if (!news.get()) {
        Platform.REAL.park(this, Math.max(rest, Math.min(left, SHORTEST_REST_NANOS)));
      }
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
    }
  }

  private void update() {
    if (closed) {
      throw new StoreException("the subscription is closed: subscribe again");
    }
    share.update();
    Set<String> mine = buffer.partitions();
    sources.entrySet().removeIf(each -> endIfStale(each.getKey(), each.getValue(), mine));
    mine.forEach(this::flow);
  }

  private boolean endIfStale(String partition, PartitionSource source, Set<String> mine) {
    boolean stale =
        !mine.contains(partition) || !source.position().equals(buffer.fetched(partition));
    if (stale) {
      source.close();
    }
    return stale;
  }

  /** A partition that failed is read again the next time; the others continue. */
  private void flow(String partition) {
    PartitionSource source = source(partition);
    try {
      source.flow(buffer);
    } catch (StoreException e) {
      failure = e;
      source.close();
      sources.remove(partition);
    }
  }

  private PartitionSource source(String partition) {
    return sources.computeIfAbsent(
        partition,
        name -> {
          PartitionSource.Partition from = partitions.get(name);
          if (from == null) {
            throw new IllegalStateException("a partition that was not asked for: " + name);
          }
          return new PartitionSource(from, buffer.fetched(name), this::wake);
        });
  }

  private void wake() {
    news.set(true);
    Thread receiving = waiter;
    if (receiving != null) {
      Platform.REAL.unpark(receiving);
    }
  }

  @Override
  public void acknowledge(List<Delivery> deliveries) {
    buffer.acknowledge(deliveries);
  }

  @Override
  public Optional<ConsumerPositions> positions() {
    return given;
  }

  @Override
  public void reposition() {
    share.reposition();
  }

  /** The lag of the partitions that are read here; other members know theirs. */
  @Override
  public long lag() {
    if (closed) {
      throw new StoreException("the subscription is closed: subscribe again");
    }
    share.update();
    Set<String> mine = buffer.partitions();
    sources.entrySet().removeIf(each -> endIfStale(each.getKey(), each.getValue(), mine));
    long waiting = 0;
    for (String partition : mine) {
      PartitionSource source = source(partition);
      waiting += buffer.unfinished(partition) + source.fetched();
      waiting += source.waitsForMore() ? 0 : source.behind(MAX_COUNTED);
    }
    return waiting;
  }

  @Override
  public void close() {
    closed = true;
    sources.values().forEach(PartitionSource::close);
    sources.clear();
    share.close();
    wake();
  }
}
