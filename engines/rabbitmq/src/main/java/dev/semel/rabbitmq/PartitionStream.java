package dev.semel.rabbitmq;

import com.rabbitmq.stream.Consumer;
import com.rabbitmq.stream.ConsumerFlowStrategy;
import com.rabbitmq.stream.Environment;
import com.rabbitmq.stream.MessageHandler;
import com.rabbitmq.stream.OffsetSpecification;
import com.rabbitmq.stream.Resource;
import com.rabbitmq.stream.StreamException;
import dev.semel.StoreException;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/** One partition's messages from the broker, from a position on. */
final class PartitionStream implements AutoCloseable {
  /** How many of the broker's chunks are here at most, of at most about 1 MB each. */
  private static final int CHUNKS = 4;

  /** A received message. */
  private record Arrived(MessageHandler.Context context, com.rabbitmq.stream.Message message) {}

  /** Takes each message. */
  @FunctionalInterface
  interface Taker {
    void take(long offset, com.rabbitmq.stream.Message message);
  }

  private final Environment environment;
  private final Queue<Arrived> arrived = new ConcurrentLinkedQueue<>();
  private final @Nullable Consumer consumer;
  private volatile boolean broken;

  /**
   * The offset at which the next message should be added; the buffer may have been repositioned
   * since.
   */
  private String expected;

  /**
   * @param position the offset of the first message; empty: the stream's first one
   * @param bell called when a message arrived
   */
  PartitionStream(Environment environment, String stream, String position, Runnable bell) {
    this.environment = environment;
    this.expected = position;
    OffsetSpecification from =
        position.isEmpty()
            ? OffsetSpecification.first()
            : OffsetSpecification.offset(Long.parseLong(position));
    try {
      this.consumer =
          environment.consumerBuilder().stream(stream)
              .offset(from)
              .noTrackingStrategy()
              .flow()
              .strategy(ConsumerFlowStrategy.creditWhenHalfMessagesProcessed(CHUNKS))
              .builder()
              .listeners(context -> changed(context.currentState()))
              .messageHandler(
                  (context, message) -> {
                    arrived.add(new Arrived(context, message));
                    bell.run();
                  })
              .build();
    } catch (StreamException | IllegalStateException e) {
      throw new StoreException(
          "the stream %s can't be read. RabbitMQ said: %s".formatted(stream, e.getMessage()), e);
    }
  }

  private void changed(Resource.State state) {
    broken |= state != Resource.State.OPENING && state != Resource.State.OPEN;
  }

  boolean isGood(Environment now, String position) {
    return !broken && environment.equals(now) && expected.equals(position);
  }

  /** Whether it broke with this environment; a break of an older environment no longer matters. */
  boolean isBroken(Environment now) {
    return broken && environment.equals(now);
  }

  boolean isEmpty() {
    return arrived.isEmpty();
  }

  /** Takes the next message, if there is one. If that fails it stays the next: none is skipped. */
  void next(Taker taker) {
    Arrived first = arrived.peek();
    if (first != null) {
      taker.take(first.context().offset(), first.message());
      arrived.remove();
      first.context().processed();
    }
  }

  void expect(String position) {
    expected = position;
  }

  @Override
  public void close() {
    try {
      if (consumer != null) {
        consumer.close();
      }
    } catch (RuntimeException e) {
      return; // it is gone with its connection
    }
  }
}
