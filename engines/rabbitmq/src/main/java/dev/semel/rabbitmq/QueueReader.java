package dev.semel.rabbitmq;

import com.rabbitmq.client.Command;
import com.rabbitmq.client.Connection;
import dev.semel.StoreException;
import dev.semel.internal.Ids;
import dev.semel.loop.Platform;
import dev.semel.transport.SubscribeSettings;
import dev.semel.transport.spi.Delivery;
import dev.semel.transport.spi.LogPosition;
import dev.semel.transport.spi.PartitionBuffer;
import dev.semel.transport.spi.Subscription;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Reads all partitions of a consumer; the broker gives each to one reader at a time. Messages that
 * wait for a retry stay here unacknowledged. A partition whose channel broke is opened again, and
 * the broker redelivers its messages that were out.
 */
final class QueueReader implements Subscription {
  /** The pause between checks of the link, and of broken partitions. */
  private static final Duration LOOK_EVERY = Duration.ofMillis(100);

  /** How often a reader with more partitions than its share may give one up. */
  private static final Duration SHARE_EVERY = Duration.ofSeconds(2);

  private final RabbitLink link;
  private final QueueTopology topology;
  private final String destination;
  private final String consumer;
  private final PartitionBuffer buffer;
  private final Map<String, PartitionChannel> open = new HashMap<>();

  /** Bounded by the prefetch of all partitions. */
  private final BlockingQueue<PartitionChannel.Arrived> arrived = new LinkedBlockingQueue<>();

  private final GroupMembers members;
  private long shareAt = System.nanoTime();
  private boolean closed;

  QueueReader(
      RabbitLink link,
      QueueTopology topology,
      String destination,
      String consumer,
      SubscribeSettings settings) {
    this.link = link;
    this.topology = topology;
    this.destination = destination;
    this.consumer = consumer;
    this.members = new GroupMembers(destination, consumer);
    this.buffer = new PartitionBuffer(Platform.REAL, settings, false, this::tell);
  }

  @Override
  public List<Delivery> receive(int limit, Duration patience) throws InterruptedException {
    long deadline = System.nanoTime() + patience.toNanos();
    while (true) {
      if (closed) {
        throw new StoreException("the subscription is closed: subscribe again");
      }
      openAll(deadline);
      share();
      accept(arrived.poll());
      List<Delivery> taken = buffer.take(limit);
      long left = deadline - System.nanoTime();
      if (!taken.isEmpty() || left <= 0) {
        return taken;
      }
      long rest = buffer.nanosUntilDue(Math.min(left, LOOK_EVERY.toNanos()));
      accept(arrived.poll(Math.max(1, rest), TimeUnit.NANOSECONDS));
    }
  }

  /** Waits for a connection until the deadline, which may have passed. */
  private void openAll(long deadline) throws InterruptedException {
    while (link.connection().isEmpty()) {
      if (System.nanoTime() - deadline >= 0 || link.closed()) {
        throw new StoreException(link.why());
      }
      TimeUnit.NANOSECONDS.sleep(LOOK_EVERY.toNanos());
    }
    for (String partition : topology.partitions().names()) {
      PartitionChannel now = open.get(partition);
      if (now == null || !now.isOpen()) {
        open(partition);
      }
    }
  }

  private void open(String partition) {
    Connection connection = link.require();
    String queue = RabbitNames.queue(destination, consumer, partition);
    int prefetch = topology.settings().prefetch();
    giveUp(partition);
    PartitionChannel made;
    try {
      made = PartitionChannel.open(connection, partition, queue, prefetch, arrived);
    } catch (StoreException e) {
      if (RabbitRefusals.code(e.getCause()) != RabbitRefusals.NOT_FOUND
          || !topology.settings().create()) {
        throw e;
      }
      topology.ensure(connection, destination, consumer); // the queue was deleted
      made = PartitionChannel.open(connection, partition, queue, prefetch, arrived);
    }
    buffer.open(partition, "0");
    open.put(partition, made);
  }

  private void giveUp(String partition) {
    PartitionChannel last = open.remove(partition);
    buffer.drop(partition);
    if (last != null) {
      last.abort();
    }
  }

  private void accept(PartitionChannel.@Nullable Arrived first) {
    for (PartitionChannel.Arrived next = first; next != null; next = arrived.poll()) {
      String partition = next.from().partition();
      if (next.from().equals(open.get(partition))) {
        // A new id each time: a queue has no position that would identify a message without an id.
        String otherId = "unnamed-" + Ids.uuid7();
        buffer.add(
            partition,
            Long.toString(next.tag()),
            AmqpMessages.message(destination, next.properties(), next.body(), otherId),
            AmqpMessages.deliveredBefore(next.properties()));
      }
    }
  }

  /**
   * Gives a partition up if this reader has more than its share, because the broker gives all
   * partitions to the first reader. Then queues up for it again behind the others.
   */
  private void share() {
    long now = System.nanoTime();
    if (now - shareAt < 0 || !topology.settings().create()) {
      return;
    }
    shareAt = now + SHARE_EVERY.toNanos();
    int readers;
    try {
      readers = members.count(link.require());
    } catch (StoreException e) {
      return; // keeps all partitions until the members can be counted
    }
    List<PartitionChannel> mine =
        open.values().stream().filter(PartitionChannel::isActive).toList();
    int share = (topology.partitions().count() + readers - 1) / readers;
    if (mine.size() > share) {
      mine.stream()
          .map(PartitionChannel::partition)
          .filter(buffer::isIdle)
          .findFirst()
          .ifPresent(this::open);
    }
  }

  private void tell(List<LogPosition> places) {
    Map<String, List<Long>> byPartition = new HashMap<>();
    for (LogPosition place : places) {
      byPartition
          .computeIfAbsent(place.partition(), partition -> new ArrayList<>())
          .add(Long.parseLong(place.next()));
    }
    Map<PartitionChannel, CompletableFuture<Command>> told = new HashMap<>();
    byPartition.forEach(
        (partition, tags) -> {
          PartitionChannel channel = open.get(partition);
          if (channel != null) {
            long reached = Long.parseLong(buffer.reached(partition));
            told.put(channel, channel.acknowledge(tags, reached));
          }
        });
    long deadline = System.nanoTime() + topology.settings().publishTimeout().toNanos();
    @Nullable StoreException first = null;
    for (Map.Entry<PartitionChannel, CompletableFuture<Command>> each : told.entrySet()) {
      long left = Math.max(1, deadline - System.nanoTime());
      StoreException failure = each.getKey().await(each.getValue(), left);
      first = first == null ? failure : first;
    }
    if (first != null) {
      throw first;
    }
  }

  @Override
  public void acknowledge(List<Delivery> deliveries) {
    buffer.acknowledge(deliveries);
  }

  @Override
  public long lag() {
    long waiting = 0;
    for (String partition : topology.partitions().names()) {
      PartitionChannel here = open.get(partition);
      if (here != null && here.isOpen()) {
        waiting += here.waiting();
      } else {
        String queue = RabbitNames.queue(destination, consumer, partition);
        waiting +=
            QueueTopology.on(
                link.require(),
                "how many wait in " + queue,
                channel -> channel.queueDeclarePassive(queue).getMessageCount());
      }
    }
    return waiting;
  }

  @Override
  public void close() {
    closed = true;
    members.leave();
    topology.partitions().names().forEach(this::giveUp);
  }
}
