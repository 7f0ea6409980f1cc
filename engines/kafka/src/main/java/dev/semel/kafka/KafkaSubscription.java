package dev.semel.kafka;

import dev.semel.StoreException;
import dev.semel.transport.ConsumerPositions;
import dev.semel.transport.Delivery;
import dev.semel.transport.LogPosition;
import dev.semel.transport.Message;
import dev.semel.transport.Subscription;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;

/** One member of a group. */
final class KafkaSubscription implements Subscription {
  private static final Duration ASSIGN_LIMIT = Duration.ofSeconds(10);
  private static final Duration COMMIT_LIMIT = Duration.ofSeconds(15);

  private final GroupReader reader;
  private final PollBuffer buffer;
  private final ConsumerLag lag;

  KafkaSubscription(GroupReader reader, ConsumerLag lag) {
    this.reader = reader;
    this.buffer = reader.buffer();
    this.lag = lag;
    buffer.awaitAssigned(ASSIGN_LIMIT);
  }

  @Override
  public List<Delivery> receive(int limit, Duration patience) throws InterruptedException {
    return buffer.take(limit, patience).stream().<Delivery>map(Held::new).toList();
  }

  @Override
  public void acknowledge(List<Delivery> deliveries) {
    List<Delivery> inner = deliveries.stream().map(each -> ((Held) each).inner).toList();
    Map<TopicPartition, OffsetAndMetadata> offsets = buffer.acknowledge(inner);
    if (reader.origin().placed() || offsets.isEmpty()) {
      reader.wake();
    } else {
      await(reader.commit(offsets));
    }
  }

  private static void await(CompletableFuture<Boolean> committed) {
    try {
      committed.get(COMMIT_LIMIT.toNanos(), TimeUnit.NANOSECONDS);
    } catch (ExecutionException e) {
      throw e.getCause() instanceof StoreException failed
          ? failed
          : new StoreException("the acknowledgement was not confirmed", e);
    } catch (TimeoutException e) {
      throw new StoreException("the acknowledgement was not confirmed in time", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new StoreException("interrupted while acknowledging", e);
    }
  }

  @Override
  public Optional<ConsumerPositions> positions() {
    return Optional.ofNullable(reader.origin().positions());
  }

  @Override
  public void reposition() {
    buffer.reposition();
    reader.wake();
  }

  @Override
  public long lag() {
    return lag.of(buffer.standing());
  }

  @Override
  public void close() {
    reader.close();
  }

  /** A message that is out; its partition may go to others meanwhile. */
  private final class Held implements Delivery {
    private final Delivery inner;

    Held(Delivery inner) {
      this.inner = inner;
    }

    @Override
    public Message message() {
      return inner.message();
    }

    @Override
    public Optional<LogPosition> place() {
      return inner.place();
    }

    @Override
    public long attempt() {
      return inner.attempt();
    }

    @Override
    public void acknowledge() {
      KafkaSubscription.this.acknowledge(List.of(this));
    }

    @Override
    public void retry(Duration pause) {
      buffer.retry(inner, pause);
    }

    @Override
    public void extend() {
      inner.extend();
    }
  }
}
