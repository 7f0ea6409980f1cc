package dev.semel.kafka;

import java.time.Duration;
import java.util.function.Supplier;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;

/**
 * The client's producer under one transactional id, made when it is needed. One that was fenced, or
 * does not know how its commit ended, is replaced: only the next one's beginning says how it ended.
 * For one thread at a time.
 */
final class TransactionalProducer implements AutoCloseable {
  private final Supplier<Producer<byte[], byte[]>> making;
  private @Nullable Producer<byte[], byte[]> producer;

  /**
   * @param making each time under the same id
   */
  TransactionalProducer(Supplier<Producer<byte[], byte[]>> making) {
    this.making = making;
  }

  /** Whatever another under the same id left open is ended. */
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
