package dev.semel.rabbitmq;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.Return;
import com.rabbitmq.client.ShutdownSignalException;
import dev.semel.StoreException;
import dev.semel.internal.PrintableText;
import dev.semel.loop.internal.Loop;
import dev.semel.transport.Message;
import dev.semel.transport.PublishFailed;
import dev.semel.transport.PublishFailed.Kind;
import dev.semel.transport.PublishResult;
import java.io.IOException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Publishes over one channel. The broker confirms a message once all queues have it. When the
 * channel or connection breaks, all messages in flight fail.
 */
final class RabbitPublisher implements AutoCloseable {
  /** How many messages may wait for their confirmation. */
  static final int MAX_IN_FLIGHT = 4096;

  /** Further destinations are checked again each time. */
  private static final int MAX_KNOWN = 10_000;

  /** The client keeps unconfirmed numbers for ever, so after this many the channel is replaced. */
  private static final int MAX_FORGOTTEN = 10_000;

  private final RabbitSettings settings;
  private final RabbitLink link;
  private final RabbitNames partitions;
  private final Loop watch;
  private final Set<String> known = ConcurrentHashMap.newKeySet();
  private final AtomicInteger inFlight = new AtomicInteger();
  private final AtomicInteger forgotten = new AtomicInteger();
  private final ReentrantLock sending = new ReentrantLock();
  private volatile @Nullable Outlet outlet;

  /** Since when a thread is writing; 0: none is. */
  private volatile long writingSince;

  RabbitPublisher(RabbitSettings settings, RabbitLink link, RabbitNames partitions) {
    this.settings = settings;
    this.link = link;
    this.partitions = partitions;
    Duration often = settings.publishTimeout().dividedBy(8);
    this.watch = Loop.start("semel-rabbit-watch", this::watch, often);
  }

  /** A message in flight. */
  private static final class Pending {
    private final String destination;
    private final CompletableFuture<PublishResult> result;
    private final long since = System.nanoTime();
    private volatile boolean returned;

    Pending(String destination, CompletableFuture<PublishResult> result) {
      this.destination = destination;
      this.result = result;
    }
  }

  /** A channel, and its unconfirmed messages. */
  private record Outlet(
      Connection connection, Channel channel, ConcurrentNavigableMap<Long, Pending> pending) {}

  CompletionStage<PublishResult> publish(Message message) {
    CompletableFuture<PublishResult> result = new CompletableFuture<>();
    int onTheirWay = inFlight.incrementAndGet();
    // Counts down once, however often the message is failed.
    var unused = result.whenComplete((published, failure) -> inFlight.decrementAndGet());
    if (onTheirWay > MAX_IN_FLIGHT) {
      fail(
          result,
          Kind.BUSY,
          "%d messages are on their way, which is the limit: wait for their confirmation"
              .formatted(MAX_IN_FLIGHT));
      return result;
    }
    try {
      RabbitChecks.requireSendable(message, settings.maxBytes());
      if (sending.tryLock(settings.publishTimeout().toNanos(), TimeUnit.NANOSECONDS)) {
        try {
          send(message, result);
        } finally {
          sending.unlock();
        }
      } else {
        fail(result, Kind.UNREACHABLE, "RabbitMQ takes nothing from this connection");
      }
    } catch (PublishFailed e) {
      result.completeExceptionally(e);
    } catch (StoreException | IOException | ShutdownSignalException e) {
      result.completeExceptionally(new PublishFailed(Kind.UNREACHABLE, reason(e), e));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      fail(result, Kind.UNREACHABLE, "interrupted before the message was sent");
    }
    return result;
  }

  private String reason(Exception e) {
    return e instanceof StoreException ? String.valueOf(e.getMessage()) : link.why();
  }

  private void send(Message message, CompletableFuture<PublishResult> result) throws IOException {
    Outlet out = current();
    String destination = message.destination();
    if (!known.contains(destination)) {
      if (!QueueTopology.isThere(out.connection(), destination)) {
        throw nobody(destination);
      }
      if (known.size() < MAX_KNOWN) {
        known.add(destination);
      }
    }
    long number = out.channel().getNextPublishSeqNo();
    Pending sent = new Pending(destination, result);
    out.pending().put(number, sent);
    writingSince = sent.since;
    try {
      out.channel()
          .basicPublish(
              destination,
              Integer.toString(partitions.of(message)),
              true,
              AmqpMessages.properties(message, number),
              message.payload());
    } catch (IOException | ShutdownSignalException e) {
      out.pending().remove(number);
      throw e;
    } finally {
      writingSince = 0;
    }
  }

  private Outlet current() throws IOException {
    Connection connection =
        link.connection().orElseThrow(() -> new PublishFailed(Kind.UNREACHABLE, link.why()));
    if (!link.blocked().isEmpty()) {
      throw new PublishFailed(
          Kind.BUSY, "RabbitMQ takes nothing for now: " + PrintableText.quoted(link.blocked()));
    }
    Outlet now = outlet;
    if (now != null && now.channel().isOpen() && forgotten.get() < MAX_FORGOTTEN) {
      return now;
    }
    if (now != null && now.channel().isOpen()) {
      now.channel().abort();
    }
    forgotten.set(0);
    Channel channel = connection.createChannel();
    Outlet fresh = new Outlet(connection, channel, new ConcurrentSkipListMap<>());
    channel.addReturnListener(back -> returned(fresh, back));
    channel.addConfirmListener(
        (number, upTo) -> answered(fresh, number, upTo, true),
        (number, upTo) -> answered(fresh, number, upTo, false));
    channel.addShutdownListener(cause -> broken(fresh, cause));
    channel.confirmSelect();
    outlet = fresh;
    return fresh;
  }

  /** Handles a returned message; this comes before its confirmation. */
  private static void returned(Outlet of, Return back) {
    String number = back.getProperties().getCorrelationId();
    Pending sent = number == null ? null : of.pending().get(Long.parseLong(number));
    if (sent != null) {
      sent.returned = true;
    }
  }

  private static void answered(Outlet of, long number, boolean upTo, boolean taken) {
    if (!upTo) {
      settle(of.pending().remove(number), taken);
      return;
    }
    ConcurrentNavigableMap<Long, Pending> all = of.pending().headMap(number, true);
    for (var first = all.pollFirstEntry(); first != null; first = all.pollFirstEntry()) {
      settle(first.getValue(), taken);
    }
  }

  private static void settle(@Nullable Pending sent, boolean taken) {
    if (sent == null) {
      return;
    }
    if (!taken) {
      fail(sent.result, Kind.BUSY, "RabbitMQ refused the message for now: is a queue full?");
    } else if (sent.returned) {
      sent.result.completeExceptionally(nobody(sent.destination));
    } else {
      sent.result.complete(new PublishResult(false, ""));
    }
  }

  private void broken(Outlet of, ShutdownSignalException cause) {
    known.clear(); // a missing exchange may be the cause
    String said = RabbitRefusals.text(cause);
    for (var first = of.pending().pollFirstEntry();
        first != null;
        first = of.pending().pollFirstEntry()) {
      fail(
          first.getValue().result,
          Kind.UNREACHABLE,
          "RabbitMQ went away before it confirmed the message: it may be there or not"
              + (said.isEmpty() ? "" : ". It said: " + said));
    }
  }

  private static PublishFailed nobody(String destination) {
    return new PublishFailed(
        Kind.REFUSED,
        "nobody takes messages for the destination %s: subscribe to it first, or name it and its consumers in the settings"
            .formatted(PrintableText.quoted(destination)));
  }

  private static void fail(CompletableFuture<PublishResult> result, Kind kind, String message) {
    result.completeExceptionally(new PublishFailed(kind, message));
  }

  private boolean watch() {
    long now = System.nanoTime();
    long limit = settings.publishTimeout().toNanos();
    long writing = writingSince;
    if (writing != 0 && now - writing > limit) {
      link.breakOff();
    }
    Outlet of = outlet;
    if (of == null) {
      return false;
    }
    for (var first = of.pending().firstEntry();
        first != null && now - first.getValue().since > limit;
        first = of.pending().firstEntry()) {
      Pending late = of.pending().remove(first.getKey());
      if (late != null) {
        forgotten.incrementAndGet();
        fail(
            late.result,
            Kind.UNREACHABLE,
            "RabbitMQ did not confirm the message within %s: it may be there or not"
                .formatted(settings.publishTimeout()));
      }
    }
    return false;
  }

  @Override
  public void close() {
    watch.close();
    Outlet last = outlet;
    if (last != null) {
      broken(last, new ShutdownSignalException(true, true, null, this));
    }
  }
}
