package dev.semel.kafka;

import dev.semel.transport.Message;
import dev.semel.transport.PublishResult;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Sends to topics that are known to be there. */
interface TopicSender extends AutoCloseable {
  /** Settles each; fails with {@link dev.semel.transport.PublishFailed}, nothing else. */
  void send(List<Sending> batch);

  /** What is on its way fails. */
  @Override
  void close();

  /** A message, and whoever waits for its answer. */
  record Sending(Message message, CompletableFuture<PublishResult> answer) {}
}
