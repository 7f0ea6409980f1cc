package dev.semel.kafka;

import dev.semel.transport.Message;
import dev.semel.transport.PublishFailed;
import dev.semel.transport.PublishResult;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Sends each message alone with an idempotent producer: the client's own retries are written once
 * and in order. An expired message may be overtaken by the next one, because the producer then
 * starts a new epoch and goes on.
 */
final class SingleSender implements TopicSender {
  private final KafkaClients clients;
  private final KafkaTopics topics;
  private final KafkaSettings settings;
  private final AtomicReference<Producer<byte[], byte[]>> producer;
  private volatile boolean closed;

  SingleSender(KafkaClients clients, KafkaTopics topics, KafkaSettings settings) {
    this.clients = clients;
    this.topics = topics;
    this.settings = settings;
    this.producer = new AtomicReference<>(clients.producer());
  }

  /** After a topic's metadata timed out, the same batch does not wait for it again. */
  @Override
  public void send(List<Sending> batch) {
    Map<String, PublishFailed> away = new HashMap<>();
    for (Sending each : batch) {
      PublishFailed known = away.get(each.message().destination());
      if (known != null) {
        each.answer().completeExceptionally(known);
        continue;
      }
      send(each.message(), each.answer());
      if (each.answer().isCompletedExceptionally()
          && each.answer().exceptionNow() instanceof PublishFailed failed
          && failed.getCause() instanceof TimeoutException) {
        away.put(each.message().destination(), failed);
      }
    }
  }

  private void send(Message message, CompletableFuture<PublishResult> answer) {
    Producer<byte[], byte[]> now = producer.get();
    try {
      var unused =
          now.send(
              KafkaMessages.record(message),
              (metadata, failure) -> settle(message, answer, metadata, failure));
    } catch (KafkaException | IllegalStateException e) {
      replace(now);
      answer.completeExceptionally(KafkaErrors.failed(e, settings));
    }
  }

  private void settle(
      Message message,
      CompletableFuture<PublishResult> answer,
      @Nullable RecordMetadata metadata,
      @Nullable Exception failure) {
    if (failure != null || metadata == null) {
      if (failure instanceof TimeoutException) {
        topics.forget(message.destination()); // a deleted topic looks the same
      }
      answer.completeExceptionally(
          KafkaErrors.failed(
              failure == null ? new KafkaException("no answer") : failure, settings));
      return;
    }
    answer.complete(
        new PublishResult(
            false, KafkaMessages.place(metadata.topic(), metadata.partition(), metadata.offset())));
  }

  /** Replaces a producer after a fatal error, because it never sends again. */
  private synchronized void replace(Producer<byte[], byte[]> broken) {
    if (closed) {
      return;
    }
    Producer<byte[], byte[]> next = clients.producer();
    if (producer.compareAndSet(broken, next)) {
      broken.close(Duration.ZERO);
    } else {
      next.close(Duration.ZERO);
    }
  }

  @Override
  public synchronized void close() {
    closed = true;
    producer.get().close(Duration.ZERO);
  }
}
