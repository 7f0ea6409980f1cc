package dev.semel.kafka;

import dev.semel.loop.Platform;
import dev.semel.loop.internal.Loop;
import dev.semel.transport.PublishFailed;
import dev.semel.transport.PublishFailed.Kind;
import dev.semel.transport.PublishResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;

/**
 * Sends each batch in a transaction: readers of committed messages see all of it or nothing.
 * Batches run one after another on a separate thread, because the client's calls block.
 *
 * <p>A producer that begins with the same transactional id ends an open transaction of that id, and
 * fences its producer. A fenced producer starts again: its messages fail as in doubt, and are sent
 * again if they still belong to it.
 */
final class TransactionSender implements TopicSender {
  private static final Duration PAUSE = Duration.ofMillis(50);

  private final TransactionalProducer producer;
  private final KafkaTopics topics;
  private final KafkaSettings settings;
  private final Queue<List<Sending>> waiting = new ConcurrentLinkedQueue<>();
  private final Loop loop;
  private volatile boolean closed;

  TransactionSender(KafkaClients clients, KafkaTopics topics, KafkaSettings settings) {
    this.producer = new TransactionalProducer(() -> clients.producer(settings.transactionalId()));
    this.topics = topics;
    this.settings = settings;
    this.loop = Loop.startTimed(Platform.REAL, "semel-kafka-transactions", this::turn, PAUSE);
  }

  @Override
  public void send(List<Sending> batch) {
    waiting.add(batch);
    if (closed) {
      failAll();
    } else {
      loop.wake();
    }
  }

  private long turn() {
    List<Sending> batch = waiting.poll();
    if (batch == null) {
      return Duration.ofSeconds(1).toNanos();
    }
    try {
      run(batch);
    } catch (RuntimeException e) { // neither a broker's answer nor its silence
      fail(batch, KafkaErrors.failed(e, settings));
      throw e;
    }
    return 0;
  }

  /**
   * Sends a batch.
   *
   * @return false when its outcome is in doubt, so that nothing after it may be sent
   */
  private boolean run(List<Sending> batch) {
    List<Future<RecordMetadata>> sent = new ArrayList<>();
    @Nullable Producer<byte[], byte[]> now = null;
    try {
      now = producer.ready();
      now.beginTransaction();
      for (Sending each : batch) {
        sent.add(now.send(KafkaMessages.record(each.message())));
      }
      now.commitTransaction();
    } catch (KafkaException | IllegalStateException e) {
      producer.undo(now);
      return apart(batch, reason(sent, e));
    }
    for (int i = 0; i < batch.size(); i++) {
      RecordMetadata at = sent.get(i).resultNow();
      batch
          .get(i)
          .answer()
          .complete(
              new PublishResult(
                  false, KafkaMessages.place(at.topic(), at.partition(), at.offset())));
    }
    return true;
  }

  /**
   * Finds a message that Kafka never accepts: it fails alone, and the others are sent without it.
   * The client gives its reason to all messages of the transaction, so the batch is split in
   * halves, in order.
   */
  private boolean apart(List<Sending> batch, PublishFailed reason) {
    if (reason.kind() == Kind.UNREACHABLE) {
      // A deleted topic looks the same.
      batch.forEach(each -> topics.forget(each.message().destination()));
    }
    if (reason.kind() != Kind.REFUSED || batch.size() == 1) {
      fail(batch, reason);
      return reason.kind() == Kind.REFUSED;
    }
    int half = batch.size() / 2;
    List<Sending> rest = batch.subList(half, batch.size());
    if (run(batch.subList(0, half))) {
      return run(rest);
    }
    fail(rest, new PublishFailed(Kind.UNREACHABLE, "what goes before it was not confirmed"));
    return false;
  }

  private PublishFailed reason(List<Future<RecordMetadata>> sent, RuntimeException thrown) {
    for (Future<RecordMetadata> each : sent) {
      PublishFailed failed = failure(each);
      if (failed != null && failed.kind() == Kind.REFUSED) {
        return failed;
      }
    }
    return KafkaErrors.failed(thrown, settings);
  }

  private @Nullable PublishFailed failure(Future<RecordMetadata> sent) {
    if (!sent.isDone()) {
      return null;
    }
    try {
      sent.get();
      return null;
    } catch (ExecutionException e) {
      return KafkaErrors.failed(e, settings);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return null;
    }
  }

  private void fail(List<Sending> batch, PublishFailed reason) {
    batch.forEach(each -> each.answer().completeExceptionally(reason));
  }

  private void failAll() {
    for (List<Sending> each = waiting.poll(); each != null; each = waiting.poll()) {
      fail(each, new PublishFailed(Kind.UNREACHABLE, "the transport is closed"));
    }
  }

  @Override
  public void close() {
    closed = true;
    loop.close();
    failAll();
    producer.close();
  }
}
