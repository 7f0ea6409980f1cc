package dev.semel.rabbitmq;

import com.rabbitmq.stream.Consumer;
import com.rabbitmq.stream.ConsumerFlowStrategy;
import com.rabbitmq.stream.Environment;
import com.rabbitmq.stream.NoOffsetException;
import com.rabbitmq.stream.OffsetSpecification;
import com.rabbitmq.stream.StreamException;
import com.rabbitmq.stream.StreamStats;
import dev.semel.StoreException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.function.ToLongFunction;

/**
 * Finds where a stream begins and ends. Brokers before 3.11 can't be asked; there this reads the
 * first and the last chunk, and a stream without data for a moment counts as empty.
 */
record StreamEnds(Environment environment) {
  private static final Duration MOMENT = Duration.ofMillis(400);
  static final long EMPTY = -1;

  /** The offset of the first stored message; or empty. */
  long first(String stream) {
    return find(
        stream, StreamStats::firstOffset, () -> probe(stream, OffsetSpecification.first(), true));
  }

  /** The offset of the last one; or empty. */
  long last(String stream) {
    return find(
        stream,
        StreamStats::committedOffset,
        () -> probe(stream, OffsetSpecification.last(), false));
  }

  private long find(String stream, ToLongFunction<StreamStats> asked, LongSupplier looked) {
    try {
      return asked.applyAsLong(environment.queryStreamStats(stream));
    } catch (NoOffsetException e) {
      return EMPTY;
    } catch (UnsupportedOperationException e) {
      return looked.getAsLong();
    } catch (StreamException | IllegalStateException e) {
      if (e.getCause() instanceof UnsupportedOperationException) {
        return looked.getAsLong();
      }
      throw unknown(stream, e);
    }
  }

  private static StoreException unknown(String stream, Exception e) {
    return new StoreException(
        "where the stream %s begins and ends can't be read from RabbitMQ: try again"
            .formatted(stream),
        e);
  }

  private long probe(String stream, OffsetSpecification where, boolean first) {
    AtomicLong seen = new AtomicLong(EMPTY);
    CountDownLatch chunk = new CountDownLatch(1);
    AtomicLong expected = new AtomicLong();
    try (Consumer reader =
        environment.consumerBuilder().stream(stream)
            .offset(where)
            .noTrackingStrategy()
            .flow()
            .strategy(new OneChunk(expected))
            .builder()
            .messageHandler(
                (context, message) -> {
                  seen.compareAndSet(EMPTY, context.offset());
                  if (!first) {
                    seen.set(context.offset());
                  }
                  if (first || expected.decrementAndGet() <= 0) {
                    chunk.countDown();
                  }
                })
            .build()) {
      boolean came = chunk.await(MOMENT.toMillis(), TimeUnit.MILLISECONDS);
      return came || reader != null ? seen.get() : EMPTY;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw unknown(stream, e);
    } catch (StreamException | IllegalStateException e) {
      throw unknown(stream, e);
    }
  }

  /** Requests one chunk only. */
  private record OneChunk(AtomicLong messages) implements ConsumerFlowStrategy {
    @Override
    public int initialCredits() {
      return 1;
    }

    @Override
    public MessageProcessedCallback start(Context context) {
      messages.set(context.messageCount());
      return processed -> {};
    }
  }
}
