package dev.semel.rabbitmq;

import com.rabbitmq.stream.StreamException;
import dev.semel.StoreException;
import dev.semel.loop.internal.Loop;
import dev.semel.transport.Message;
import dev.semel.transport.PublishFailed;
import dev.semel.transport.PublishFailed.Kind;
import dev.semel.transport.PublishResult;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** Sends to the streams of any destination. */
final class StreamPublisher implements AutoCloseable {
  /** How many messages may wait for their confirmation. */
  static final int MAX_IN_FLIGHT = 4096;

  /** The most streams, because each needs a number on its connection, and those are limited. */
  private static final int MAX_STREAMS = 2000;

  private final RabbitStreamSettings settings;
  private final StreamLink link;
  private final RabbitNames partitions;
  private final Map<String, StreamOutlet> outlets = new ConcurrentHashMap<>();
  private final AtomicInteger inFlight = new AtomicInteger();
  private final Loop watch;

  StreamPublisher(RabbitStreamSettings settings, StreamLink link, RabbitNames partitions) {
    this.settings = settings;
    this.link = link;
    this.partitions = partitions;
    this.watch =
        Loop.start("semel-rabbit-watch", this::watch, settings.publishTimeout().dividedBy(8));
  }

  private boolean watch() {
    outlets.values().forEach(StreamOutlet::expire);
    return false;
  }

  CompletionStage<PublishResult> publish(Message message) {
    CompletableFuture<PublishResult> result = new CompletableFuture<>();
    var unused = result.whenComplete((published, failure) -> inFlight.decrementAndGet());
    try {
      if (inFlight.incrementAndGet() > MAX_IN_FLIGHT) {
        throw new PublishFailed(
            Kind.BUSY,
            "%d messages are on their way, which is the limit: wait for their confirmation"
                .formatted(MAX_IN_FLIGHT));
      }
      RabbitChecks.requireSendable(message, settings.maxBytes());
      String partition = Integer.toString(partitions.of(message));
      outlet(RabbitNames.stream(message.destination(), partition)).send(message, result);
    } catch (PublishFailed e) {
      result.completeExceptionally(e);
    } catch (StreamException | IllegalStateException e) {
      link.environment().ifPresent(link::broken);
      result.completeExceptionally(new PublishFailed(Kind.UNREACHABLE, link.why(), e));
    } catch (StoreException e) {
      result.completeExceptionally(new PublishFailed(Kind.UNREACHABLE, link.why(), e));
    }
    return result;
  }

  private StreamOutlet outlet(String stream) {
    StreamOutlet known = outlets.get(stream);
    if (known == null && outlets.size() >= MAX_STREAMS) {
      throw new PublishFailed(
          Kind.REFUSED,
          "this process sends to %d streams, which is the limit: use fewer destinations or partitions"
              .formatted(MAX_STREAMS));
    }
    if (known != null) {
      return known;
    }
    // One outlet per stream, never replaced: two would use the same numbers.
    if (!link.require().streamExists(stream)) {
      throw StreamOutlet.nobody(stream);
    }
    return outlets.computeIfAbsent(stream, name -> new StreamOutlet(settings, link, name));
  }

  /** Called after the link is closed: messages in flight fail. */
  @Override
  public void close() {
    watch.close();
    watch();
  }
}
