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

/** One partition as it comes from the broker, from some position on. */
final class PartitionStream implements AutoCloseable {
  /** So many of the broker's chunks are here at most, of about 1 MB each at most. */
  private static final int CHUNKS = 4;

  /** One that came. */
  private record Arrived(MessageHandler.Context context, com.rabbitmq.stream.Message message) {}

  /** What is wanted of each. */
  @FunctionalInterface
  interface Taker {
    void take(long offset, com.rabbitmq.stream.Message message);
  }

  private final Environment environment;
  private final Queue<Arrived> arrived = new ConcurrentLinkedQueue<>();
  private final @Nullable Consumer consumer;
  private volatile boolean broken;

  /** Where the next one should be added; the buffer may have been told another since. */
  private String expected;

  /**
   * @param position the offset of the first that is wanted; empty: whatever is there
   * @param bell rung when something came
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

  /** With that environment: one that is replaced already is nobody's trouble any more. */
  boolean isBroken(Environment now) {
    return broken && environment.equals(now);
  }

  boolean isEmpty() {
    return arrived.isEmpty();
  }

  /** The next one, if it is there. One that could not be taken stays the next: none is skipped. */
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
