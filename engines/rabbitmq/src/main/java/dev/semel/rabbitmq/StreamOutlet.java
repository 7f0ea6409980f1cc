package dev.semel.rabbitmq;

import com.rabbitmq.stream.ConfirmationStatus;
import com.rabbitmq.stream.Constants;
import com.rabbitmq.stream.Environment;
import com.rabbitmq.stream.Producer;
import com.rabbitmq.stream.Resource;
import com.rabbitmq.stream.StreamDoesNotExistException;
import com.rabbitmq.stream.StreamException;
import dev.semel.internal.PrintableText;
import dev.semel.transport.Message;
import dev.semel.transport.PublishFailed;
import dev.semel.transport.PublishFailed.Kind;
import dev.semel.transport.PublishResult;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import org.jspecify.annotations.Nullable;

/**
 * Sends this process's messages to one stream. The broker drops a message whose number is not above
 * the highest it has from the same producer. So numbers only rise. After a connection broke, this
 * asks the broker for the highest number before it sends anything else: messages up to that number
 * are stored, and are duplicates when sent again; later ones never arrived, and get new numbers,
 * because their old ones may be too low by then.
 */
final class StreamOutlet {
  private final RabbitStreamSettings settings;
  private final StreamLink link;
  private final String stream;

  /** Messages without a final answer, by their number; no number is used twice. */
  private final ConcurrentNavigableMap<Long, Pending> open = new ConcurrentSkipListMap<>();

  /** Ids of messages that were reported as in doubt although the broker has them. */
  private final Set<String> there = new LinkedHashSet<>();

  private @Nullable Environment environment;
  private @Nullable Producer producer;
  private long next = 1;

  /** A message in flight. */
  private record Pending(
      String id, CompletableFuture<PublishResult> result, Environment over, long since) {}

  StreamOutlet(RabbitStreamSettings settings, StreamLink link, String stream) {
    this.settings = settings;
    this.link = link;
    this.stream = stream;
  }

  synchronized void send(Message message, CompletableFuture<PublishResult> result) {
    Environment now =
        link.environment().orElseThrow(() -> new PublishFailed(Kind.UNREACHABLE, link.why()));
    Producer to = now.equals(environment) && producer != null ? producer : reopen(now);
    if (there.remove(message.id())) {
      result.complete(new PublishResult(true, ""));
      return;
    }
    long number = next++;
    open.put(number, new Pending(message.id(), result, now, System.nanoTime()));
    to.send(
        StreamWire.write(to.messageBuilder(), message, number),
        status -> answered(now, number, status, result));
  }

  private Producer reopen(Environment now) {
    producer = null;
    try {
      Producer made =
          now.producerBuilder().name(settings.producer()).stream(stream)
              .confirmTimeout(settings.publishTimeout())
              .enqueueTimeout(settings.publishTimeout())
              .maxUnconfirmedMessages(StreamPublisher.MAX_IN_FLIGHT + 1)
              .retryOnRecovery(false)
              .listeners(context -> changed(now, context.currentState()))
              .build();
      recall(made.getLastPublishingId());
      environment = now;
      producer = made;
      return made;
    } catch (StreamDoesNotExistException e) {
      throw nobody(stream);
    } catch (StreamException | IllegalStateException e) {
      if (link.isAway(now, stream)) {
        throw new PublishFailed(Kind.BUSY, "RabbitMQ has no leader for the stream " + stream, e);
      }
      throw new PublishFailed(Kind.UNREACHABLE, link.why(), e);
    }
  }

  static PublishFailed nobody(String stream) {
    return new PublishFailed(
        Kind.REFUSED,
        "nobody takes messages for the stream %s: subscribe to its destination first, or name it in the settings"
            .formatted(PrintableText.quoted(stream)));
  }

  /** Sorts out the open messages, which were all sent over lost connections. */
  private void recall(long highest) {
    open.headMap(highest, true).values().stream()
        .filter(sent -> !sent.result().complete(new PublishResult(false, "")))
        .forEach(sent -> there.add(sent.id()));
    open.tailMap(highest, false).values().forEach(this::giveUp);
    open.clear();
    Iterator<String> oldest = there.iterator();
    while (there.size() > StreamPublisher.MAX_IN_FLIGHT && oldest.hasNext()) {
      oldest.next();
      oldest.remove();
    }
    next = Math.max(next, highest + 1);
  }

  /**
   * Fails messages whose answer is late, because the client does not always report that. They stay
   * open: before more is sent, this asks whether the broker has them.
   */
  void expire() {
    Environment now = link.environment().orElse(null);
    long limit = settings.publishTimeout().toNanos();
    for (Pending sent : open.values()) {
      boolean late = System.nanoTime() - sent.since() > limit;
      if ((late || !sent.over().equals(now)) && giveUp(sent)) {
        link.broken(sent.over());
      }
    }
  }

  /**
   * Fails a message.
   *
   * @return false when it has its answer already
   */
  private boolean giveUp(Pending sent) {
    return sent.result()
        .completeExceptionally(
            new PublishFailed(
                Kind.UNREACHABLE,
                "RabbitMQ did not confirm a message for the stream %s: it may be there or not"
                    .formatted(stream)));
  }

  private void changed(Environment of, Resource.State state) {
    if (state != Resource.State.OPENING && state != Resource.State.OPEN) {
      link.broken(of);
    }
  }

  private void answered(
      Environment over,
      long number,
      ConfirmationStatus status,
      CompletableFuture<PublishResult> result) {
    if (status.isConfirmed()) {
      open.remove(number);
      result.complete(new PublishResult(false, ""));
      return;
    }
    switch (status.getCode()) {
      case Constants.RESPONSE_CODE_ACCESS_REFUSED,
          Constants.RESPONSE_CODE_STREAM_DOES_NOT_EXIST,
          Constants.RESPONSE_CODE_PRECONDITION_FAILED -> {
        open.remove(number);
        fail(result, Kind.REFUSED, "RabbitMQ refused a message for the stream " + stream, status);
      }
      case Constants.RESPONSE_CODE_STREAM_NOT_AVAILABLE, Constants.RESPONSE_CODE_INTERNAL_ERROR -> {
        open.remove(number);
        fail(result, Kind.BUSY, "RabbitMQ takes nothing now for the stream " + stream, status);
      }
      default -> {
        Pending sent = open.get(number);
        link.broken(over);
        if (sent != null) {
          giveUp(sent);
        }
      }
    }
  }

  private static void fail(
      CompletableFuture<PublishResult> result,
      Kind kind,
      String message,
      ConfirmationStatus status) {
    result.completeExceptionally(
        new PublishFailed(kind, message + " (code " + status.getCode() + ")"));
  }
}
