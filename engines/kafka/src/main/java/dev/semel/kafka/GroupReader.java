package dev.semel.kafka;

import dev.semel.StoreException;
import dev.semel.loop.Platform;
import dev.semel.loop.internal.Loop;
import dev.semel.transport.SubscribeSettings;
import dev.semel.transport.spi.Delivery;
import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.WakeupException;
import org.jspecify.annotations.Nullable;

/**
 * Polls for a subscription on a separate thread, so that the group sees this member however long a
 * handler runs. It puts records into the {@link PollBuffer}, where the subscription takes them.
 *
 * <p>A partition that moves to another member is given up when none of its messages are out any
 * more, or when that takes too long: then their handler finds that the position moved, or its
 * partition dropped.
 */
final class GroupReader implements ConsumerRebalanceListener, AutoCloseable {
  private static final Duration POLL = Duration.ofMillis(100);
  private static final Duration PAUSE = Duration.ofMillis(200);
  private static final Duration LIMIT = Duration.ofSeconds(5);
  private static final Duration COMMIT_LIMIT = Duration.ofSeconds(15);

  /** How long a revoked partition waits for its messages that are out. */
  private static final Duration DRAIN_LIMIT = Duration.ofSeconds(10);

  /** After this long without a connection the broker counts as unreachable. */
  private static final Duration AWAY = Duration.ofMillis(500);

  private static final Duration LOOK_FOR_DELETED = Duration.ofSeconds(1);

  /** Offsets to commit, and the future of their caller. */
  private record Commit(
      Map<TopicPartition, OffsetAndMetadata> offsets, CompletableFuture<Boolean> done) {}

  private final Consumer<byte[], byte[]> client;
  private final ReadOrigin origin;
  private final PollBuffer buffer;
  private final Queue<Commit> commits = new ConcurrentLinkedQueue<>();
  private final @Nullable Metric connections;
  private final Loop loop;
  private volatile boolean closing;
  private long connectedAt = System.nanoTime();
  private long openAt = connectedAt;

  GroupReader(Consumer<byte[], byte[]> client, ReadOrigin origin, SubscribeSettings how) {
    this.client = client;
    this.origin = origin;
    this.buffer = new PollBuffer(how, origin.placed(), this::acknowledge);
    this.connections =
        client.metrics().entrySet().stream()
            .filter(each -> each.getKey().name().equals("connection-count"))
            .map(Map.Entry::getValue)
            .findFirst()
            .orElse(null);
    client.subscribe(List.of(origin.topic()), this);
    this.loop =
        Loop.startTimed(Platform.REAL, "semel-kafka-poll", this::turn, PAUSE, this::troubled);
  }

  PollBuffer buffer() {
    return buffer;
  }

  ReadOrigin origin() {
    return origin;
  }

  private void troubled(Exception e) {
    buffer.trouble(KafkaErrors.store("reading failed", e, origin.settings()));
  }

  private long turn() throws InterruptedException {
    try {
      commitAsked();
      var records = poll();
      buffer.fill(records);
      open();
      if (records.isEmpty()) {
        note();
      }
      flow();
      look();
      return 0;
    } catch (WakeupException e) {
      return 0;
    } catch (InterruptException e) {
      throw new InterruptedException(e.getMessage());
    } catch (OffsetOutOfRangeException e) {
      outOfRange(e.offsetOutOfRangePartitions());
      return 0;
    }
  }

  private Map<TopicPartition, List<ConsumerRecord<byte[], byte[]>>> poll() {
    ConsumerRecords<byte[], byte[]> records = client.poll(closing ? Duration.ZERO : POLL);
    Map<TopicPartition, List<ConsumerRecord<byte[], byte[]>>> all = new LinkedHashMap<>();
    records.partitions().forEach(each -> all.put(each, records.records(each)));
    return all;
  }

  /** Seeks to the consumer's position, which may have changed since the partition was here last. */
  private void open() {
    Set<TopicPartition> wanted = buffer.opening();
    if (wanted.isEmpty() || openAt - System.nanoTime() > 0) {
      return;
    }
    Map<TopicPartition, String> positions = origin.read(client, wanted);
    Map<TopicPartition, Long> oldest = client.beginningOffsets(wanted, LIMIT);
    for (TopicPartition each : wanted) {
      String at = positions.getOrDefault(each, "");
      long first = oldest.getOrDefault(each, 0L);
      long start = at.isEmpty() ? first : Long.parseLong(at);
      if (start < first) {
        buffer.deleted(each, origin.deleted(each, at, first));
        openAt = System.nanoTime() + LOOK_FOR_DELETED.toNanos();
      } else {
        client.seek(each, start);
        client.resume(Set.of(each));
        buffer.open(each, at);
      }
    }
  }

  /** The broker deleted this offset while we were reading, or never had it. */
  private void outOfRange(Map<TopicPartition, Long> partitions) {
    Map<TopicPartition, Long> oldest = client.beginningOffsets(partitions.keySet(), LIMIT);
    partitions.forEach(
        (each, at) -> {
          reopen(Set.of(each));
          long first = oldest.getOrDefault(each, 0L);
          buffer.deleted(each, origin.deleted(each, Long.toString(at), first));
        });
    openAt = System.nanoTime() + LOOK_FOR_DELETED.toNanos();
  }

  /** Notes progress past transaction markers, which are never handed out. */
  private void note() {
    Set<TopicPartition> all = new HashSet<>(client.assignment());
    all.removeAll(buffer.opening());
    for (TopicPartition each : all) {
      try {
        buffer.fetchedTo(each, client.position(each, Duration.ZERO));
      } catch (TimeoutException e) {
        return; // not known right now
      }
    }
  }

  /** Fetches only partitions with room for more; heartbeats go on for all. */
  private void flow() {
    Set<TopicPartition> full = new HashSet<>();
    Set<TopicPartition> free = new HashSet<>();
    for (TopicPartition each : client.assignment()) {
      (buffer.hasRoom(each) ? free : full).add(each);
    }
    client.pause(full);
    client.resume(free);
  }

  /** Detects an unreachable broker: the client would silently retry for ever. */
  private void look() {
    long now = System.nanoTime();
    if (connections == null || !Double.valueOf(0).equals(connections.metricValue())) {
      connectedAt = now;
      buffer.wellAgain();
    } else if (now - connectedAt > AWAY.toNanos()) {
      buffer.trouble(new StoreException(KafkaErrors.unreachable(origin.settings())));
    }
  }

  /**
   * Acknowledges deliveries for the subscription's thread, and commits offsets if Kafka keeps them.
   *
   * @throws StoreException Kafka did not confirm, and may redeliver them
   */
  void acknowledge(List<Delivery> deliveries) {
    Map<TopicPartition, OffsetAndMetadata> offsets = buffer.acknowledge(deliveries);
    if (origin.placed() || offsets.isEmpty()) {
      wake();
    } else {
      await(commit(offsets));
    }
  }

  private static void await(CompletableFuture<Boolean> committed) {
    try {
      committed.get(COMMIT_LIMIT.toNanos(), TimeUnit.NANOSECONDS);
    } catch (ExecutionException e) {
      throw e.getCause() instanceof StoreException failed
          ? failed
          : new StoreException("the acknowledgement was not confirmed", e);
    } catch (java.util.concurrent.TimeoutException e) {
      throw new StoreException("the acknowledgement was not confirmed in time", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new StoreException("interrupted while acknowledging", e);
    }
  }

  private CompletableFuture<Boolean> commit(Map<TopicPartition, OffsetAndMetadata> offsets) {
    CompletableFuture<Boolean> done = new CompletableFuture<>();
    commits.add(new Commit(offsets, done));
    client.wakeup();
    return done;
  }

  /** Wakes the polling thread, because there may be room again. */
  void wake() {
    client.wakeup();
  }

  private void commitAsked() {
    for (Commit each = commits.poll(); each != null; each = commits.poll()) {
      try {
        commitSync(each.offsets());
        each.done().complete(true);
      } catch (KafkaException e) {
        each.done()
            .completeExceptionally(
                new StoreException(
                    "the acknowledgement was not confirmed, and the message may come again. Kafka said: "
                        + e.getMessage(),
                    e));
      }
    }
  }

  private void commitSync(Map<TopicPartition, OffsetAndMetadata> offsets) {
    try {
      client.commitSync(offsets, LIMIT);
    } catch (WakeupException e) {
      client.commitSync(offsets, LIMIT); // the caller that woke us is served after this
    }
  }

  /** Reads these partitions again from the consumer's position. */
  private void reopen(Collection<TopicPartition> partitions) {
    client.pause(partitions);
    buffer.reopen(partitions);
  }

  @Override
  public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
    // Any offset will do: nothing is fetched before the real one is known.
    partitions.forEach(each -> client.seek(each, 0));
    reopen(partitions);
    openAt = System.nanoTime();
    buffer.assigned();
  }

  @Override
  public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
    long until = System.nanoTime() + DRAIN_LIMIT.toNanos();
    buffer.drain(true);
    try {
      while (!closing && !buffer.awaitIdle(partitions) && until - System.nanoTime() > 0) {
        commitAsked();
      }
      commitAsked();
    } finally {
      buffer.drop(partitions);
      buffer.drain(false);
    }
  }

  @Override
  public void onPartitionsLost(Collection<TopicPartition> partitions) {
    buffer.drop(partitions);
  }

  @Override
  public void close() {
    closing = true;
    buffer.close();
    client.wakeup();
    loop.close();
    try {
      client.close(CloseOptions.timeout(KafkaClients.CLOSE_LIMIT));
    } catch (KafkaException e) {
      // The group notices the end of a member after a while.
    }
  }
}
