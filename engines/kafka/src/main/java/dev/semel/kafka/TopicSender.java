package dev.semel.kafka;

import dev.semel.transport.Message;
import dev.semel.transport.PublishResult;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Sends to topics that are known to exist. */
interface TopicSender extends AutoCloseable {
  /**
   * Sends messages, and completes each answer; failures are always a {@link
   * dev.semel.transport.PublishFailed}.
   */
  void send(List<Sending> batch);

  /** Closes the sender; messages in flight fail. */
  @Override
  void close();

  /** A message, and the future of its answer. */
  record Sending(Message message, CompletableFuture<PublishResult> answer) {}
}
