package dev.semel.kafka;

import dev.semel.StoreException;
import dev.semel.loop.Platform;
import dev.semel.transport.spi.Delivery;
import dev.semel.transport.spi.LogPosition;
import dev.semel.transport.spi.PartitionBuffer;
import dev.semel.transport.spi.SubscribeSettings;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/** The buffer between the polling thread and the handling thread; both hold its lock. */
final class PollBuffer {
  /** How often the polling thread checks for offsets to commit while it waits. */
  private static final Duration LOOK = Duration.ofMillis(20);

  private static final long SHORTEST_WAIT_NANOS = Duration.ofMillis(5).toNanos();

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final PartitionBuffer buffer;
  private final Set<TopicPartition> opening = new HashSet<>();
  private final Map<TopicPartition, Long> fetchedTo = new HashMap<>();
  private final Map<TopicPartition, String> deleted = new LinkedHashMap<>();
  private List<LogPosition> finished = List.of();
  private @Nullable StoreException trouble;
  private boolean draining;
  private boolean assigned;
  private boolean closed;

  /**
   * @param acknowledge acknowledges single deliveries; called without the lock
   */
  PollBuffer(SubscribeSettings settings, boolean placed, Consumer<List<Delivery>> acknowledge) {
    this.buffer = new PartitionBuffer(Platform.REAL, settings, placed, new Deliveries(acknowledge));
  }

  /**
   * Handles reports about messages that are out, whose partition may move to another member
   * meanwhile.
   */
  private final class Deliveries implements PartitionBuffer.BufferOwner {
    private final Consumer<List<Delivery>> acknowledge;

    Deliveries(Consumer<List<Delivery>> acknowledge) {
      this.acknowledge = acknowledge;
    }

    @Override
    public void finished(List<LogPosition> places) {
      finished = List.copyOf(places);
    }

    @Override
    public void acknowledge(PartitionBuffer from, Delivery alone) {
      acknowledge.accept(List.of(alone));
    }

    @Override
    public void change(Runnable wish) {
      locked(wish);
    }
  }

  private void locked(Runnable change) {
    locked(
        () -> {
          change.run();
          return true;
        });
  }

  private <T> T locked(Supplier<T> change) {
    lock.lock();
    try {
      return change.get();
    } finally {
      changed.signalAll();
      lock.unlock();
    }
  }

  // Adds records; for the polling thread.

  void fill(Map<TopicPartition, List<ConsumerRecord<byte[], byte[]>>> records) {
    if (records.isEmpty()) {
      return;
    }
    locked(
        () ->
            records.forEach(
                (partition, some) -> {
                  // Skips partitions that were reset meanwhile: their records are read again.
                  if (!opening.contains(partition)) {
                    some.forEach(each -> add(partition, each));
                  }
                }));
  }

  private void add(TopicPartition partition, ConsumerRecord<byte[], byte[]> record) {
    buffer.add(
        KafkaMessages.topicPartition(partition),
        Long.toString(record.offset() + 1),
        KafkaMessages.message(record));
  }

  Set<TopicPartition> opening() {
    return locked(() -> Set.copyOf(opening));
  }

  void open(TopicPartition partition, String at) {
    locked(
        () -> {
          if (opening.remove(partition)) {
            buffer.open(KafkaMessages.topicPartition(partition), at);
          }
          deleted.remove(partition);
        });
  }

  void deleted(TopicPartition partition, String what) {
    locked(() -> deleted.put(partition, what));
  }

  boolean hasRoom(TopicPartition partition) {
    return locked(
        () ->
            !opening.contains(partition)
                && buffer.hasRoom(KafkaMessages.topicPartition(partition)));
  }

  void reopen(Collection<TopicPartition> partitions) {
    locked(
        () -> {
          partitions.forEach(each -> buffer.drop(KafkaMessages.topicPartition(each)));
          opening.addAll(partitions);
        });
  }

  void drop(Collection<TopicPartition> partitions) {
    locked(
        () -> {
          partitions.forEach(each -> buffer.drop(KafkaMessages.topicPartition(each)));
          opening.removeAll(partitions);
          deleted.keySet().removeAll(partitions);
          fetchedTo.keySet().removeAll(partitions);
        });
  }

  void assigned() {
    locked(() -> assigned = true);
  }

  /** Stops handing out messages while it is on. */
  void drain(boolean on) {
    locked(() -> draining = on);
  }

  /**
   * Waits a short time until none of these partitions' messages are out.
   *
   * @return whether that is so
   */
  boolean awaitIdle(Collection<TopicPartition> partitions) {
    return await(
        () ->
            partitions.stream().allMatch(each -> buffer.isIdle(KafkaMessages.topicPartition(each))),
        LOOK);
  }

  private boolean await(BooleanSupplier over, Duration limit) {
    long rest = limit.toNanos();
    lock.lock();
    try {
      while (!over.getAsBoolean() && rest > 0) {
        rest = changed.awaitNanos(rest);
      }
      return over.getAsBoolean();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return true;
    } finally {
      lock.unlock();
    }
  }

  void trouble(StoreException what) {
    locked(() -> trouble = what);
  }

  void wellAgain() {
    if (trouble != null) {
      locked(() -> trouble = null);
    }
  }

  /**
   * Notes the client's next offset, past records that are no messages; called when nothing arrived.
   */
  void fetchedTo(TopicPartition partition, long offset) {
    locked(() -> fetchedTo.put(partition, offset));
  }

  // Takes messages; for the handling thread.

  List<Delivery> take(int limit, Duration patience) throws InterruptedException {
    long end = System.nanoTime() + patience.toNanos();
    lock.lockInterruptibly();
    try {
      while (true) {
        if (closed) {
          throw new StoreException("the subscription is closed");
        }
        if (!deleted.isEmpty()) {
          throw new StoreException(deleted.values().iterator().next());
        }
        List<Delivery> taken = draining ? List.of() : buffer.take(limit);
        if (!taken.isEmpty()) {
          return taken;
        }
        StoreException why = trouble;
        if (why != null) {
          throw new StoreException(String.valueOf(why.getMessage()), why);
        }
        long rest = end - System.nanoTime();
        if (rest <= 0) {
          return List.of();
        }
        long due = Math.max(SHORTEST_WAIT_NANOS, buffer.nanosUntilDue(rest));
        long unused = changed.awaitNanos(Math.min(rest, due));
      }
    } finally {
      lock.unlock();
    }
  }

  /**
   * Acknowledges deliveries.
   *
   * @return the offsets that this reaches
   */
  Map<TopicPartition, OffsetAndMetadata> acknowledge(List<Delivery> deliveries) {
    return locked(
        () -> {
          finished = List.of();
          buffer.acknowledge(deliveries);
          Map<TopicPartition, OffsetAndMetadata> offsets = new HashMap<>();
          for (LogPosition each : finished) {
            String reached = buffer.reached(each.partition());
            if (!reached.isEmpty()) {
              offsets.put(
                  KafkaMessages.partition(each.partition()),
                  new OffsetAndMetadata(Long.parseLong(reached)));
            }
          }
          return offsets;
        });
  }

  /** Reads everything again from the consumer's position, before more is handed out. */
  void reposition() {
    locked(
        () -> {
          for (String topicPartition : buffer.partitions()) {
            buffer.drop(topicPartition);
            opening.add(KafkaMessages.partition(topicPartition));
          }
        });
  }

  /** How far each partition that is assigned here has been read. */
  Map<TopicPartition, String> standing() {
    return locked(
        () -> {
          Map<TopicPartition, String> all = new HashMap<>();
          for (String topicPartition : buffer.partitions()) {
            TopicPartition partition = KafkaMessages.partition(topicPartition);
            String reached = buffer.reached(topicPartition);
            long past = fetchedTo.getOrDefault(partition, 0L);
            boolean allDone = reached.equals(buffer.fetched(topicPartition));
            long offset = reached.isEmpty() ? 0 : Long.parseLong(reached);
            boolean further = allDone && past > offset;
            all.put(partition, further ? Long.toString(past) : reached);
          }
          return all;
        });
  }

  /** Waits, for a limited time, until the group has assigned partitions and they are being read. */
  void awaitAssigned(Duration limit) {
    boolean unused =
        await(
            () -> (assigned && opening.isEmpty()) || trouble != null || !deleted.isEmpty(), limit);
  }

  void close() {
    locked(() -> closed = true);
  }
}
