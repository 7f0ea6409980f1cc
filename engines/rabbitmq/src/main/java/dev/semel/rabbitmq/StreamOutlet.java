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
 * What this process sends to one stream. The broker drops whatever has a number that is not above
 * the highest it has of the same producer. So numbers only rise; and after a connection broke, the
 * broker is asked for the highest before anything else is sent: what is not above it is there, and
 * is a duplicate when it is sent again; what is above it never arrived, and gets a new number, as
 * its own may be below another's by then.
 */
final class StreamOutlet {
  private final RabbitStreamSettings settings;
  private final StreamLink link;
  private final String stream;

  /** What has no answer yet, or none for good, by its number; no number is used twice. */
  private final ConcurrentNavigableMap<Long, Pending> open = new ConcurrentSkipListMap<>();

  /** Of what was given up as unknown, the ids of what the broker has. */
  private final Set<String> there = new LinkedHashSet<>();

  private @Nullable Environment environment;
  private @Nullable Producer producer;
  private long next = 1;

  /** One on its way. */
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

  /** Everything that is open was sent over connections that are gone. */
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
   * Fails what waits for an answer that will not come, which the client does not always say. It
   * stays open: before more is sent, the broker is asked whether it has it.
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

  /** False: it has its answer. */
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
