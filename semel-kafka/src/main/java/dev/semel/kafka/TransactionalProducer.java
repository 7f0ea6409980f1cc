package dev.semel.kafka;

import java.time.Duration;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;

/**
 * The client's producer under one transactional id, made when it is needed. One that was fenced, or
 * does not know how its commit ended, is replaced: only the next one's beginning says how it ended.
 * For one thread at a time.
 */
final class TransactionalProducer implements AutoCloseable {
  private final Clients clients;
  private final String id;
  private @Nullable Producer<byte[], byte[]> producer;

  TransactionalProducer(Clients clients, String id) {
    this.clients = clients;
    this.id = id;
  }

  /** Whatever another under the same id left open is ended. */
  Producer<byte[], byte[]> ready() {
    Producer<byte[], byte[]> now = producer;
    if (now == null) {
      now = clients.producer(id);
      producer = now;
      now.initTransactions();
    }
    return now;
  }

  /**
   * Takes back what was begun.
   *
   * @param now by whom; null: nothing was
   */
  void undo(@Nullable Producer<byte[], byte[]> now) {
    if (now == null) {
      return;
    }
    try {
      now.abortTransaction();
    } catch (KafkaException | IllegalStateException e) {
      producer = null;
      now.close(Duration.ZERO);
    }
  }

  @Override
  public void close() {
    if (producer != null) {
      producer.close(Duration.ZERO);
    }
  }
}
