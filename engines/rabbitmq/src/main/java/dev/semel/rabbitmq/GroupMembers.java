package dev.semel.rabbitmq;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ShutdownSignalException;
import dev.semel.StoreException;
import java.io.IOException;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Counts the readers with one consumer name: RabbitMQ counts only the active reader of a
 * single-active-consumer queue. So each reader also consumes from an empty queue, which the broker
 * deletes with its last consumer.
 */
final class GroupMembers {
  private final String queue;
  private @Nullable Channel channel;

  GroupMembers(String destination, String consumer) {
    this.queue = RabbitNames.queue(destination, consumer, "members");
  }

  /** Counts the members including this one, which joins by asking. */
  int count(Connection connection) {
    try {
      Channel now = channel;
      if (now == null || !now.isOpen()) {
        now = join(connection);
        channel = now;
      }
      return Math.max(1, now.queueDeclarePassive(queue).getConsumerCount());
    } catch (IOException | ShutdownSignalException e) {
      throw new StoreException(
          "RabbitMQ does not say how many read from %s: %s"
              .formatted(queue, RabbitRefusals.text(e)),
          e);
    }
  }

  private Channel join(Connection connection) throws IOException {
    Channel made = connection.createChannel();
    if (made == null) {
      throw new IOException("no more channels");
    }
    made.queueDeclare(queue, true, false, true, Map.of());
    made.basicConsume(queue, true, (tag, message) -> {}, tag -> {});
    return made;
  }

  void leave() {
    Channel last = channel;
    channel = null;
    try {
      if (last != null) {
        last.abort();
      }
    } catch (IOException | ShutdownSignalException e) {
      return; // it is gone
    }
  }
}
