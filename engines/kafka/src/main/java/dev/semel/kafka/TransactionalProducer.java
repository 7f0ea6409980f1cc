package dev.semel.kafka;

import java.time.Duration;
import java.util.function.Supplier;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;

/**
 * Kafka's producer under one transactional id, created on demand. A fenced producer, or one whose
 * commit is in doubt, is replaced: only the next one's initialization decides how that commit
 * ended. For one thread at a time.
 */
final class TransactionalProducer implements AutoCloseable {
  private final Supplier<Producer<byte[], byte[]>> making;
  private @Nullable Producer<byte[], byte[]> producer;

  /**
   * @param making creates a producer, always with the same id
   */
  TransactionalProducer(Supplier<Producer<byte[], byte[]>> making) {
    this.making = making;
  }

  /** Returns a producer after ending any open transaction of the same id. */
  Producer<byte[], byte[]> ready() {
    Producer<byte[], byte[]> now = producer;
    if (now == null) {
      now = begun(making.get());
      producer = now;
    }
    return now;
  }

  private static Producer<byte[], byte[]> begun(Producer<byte[], byte[]> made) {
    try {
      made.initTransactions();
      return made;
    } catch (RuntimeException e) {
      made.close(Duration.ZERO);
      throw e;
    }
  }

  /**
   * Aborts a transaction.
   *
   * @param now its producer; null: none began
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
