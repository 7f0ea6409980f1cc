package dev.semel.stream.transport;

import dev.semel.InvalidInput;
import dev.semel.StoreException;
import dev.semel.loop.internal.Loop;
import dev.semel.stream.ContentType;
import dev.semel.stream.client.DurableStream;
import dev.semel.stream.client.IdempotentProducer;
import dev.semel.stream.client.ProducerAck;
import dev.semel.stream.client.ProducerException;
import dev.semel.stream.client.ProducerSettings;
import dev.semel.transport.Message;
import dev.semel.transport.PublishFailed;
import dev.semel.transport.PublishFailed.Kind;
import dev.semel.transport.PublishResult;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Writes one partition. A message without an answer stays with the producer, which sends it again
 * under its number until the server has it; a second publish of the same message meanwhile waits
 * for the same answer. A producer that can't continue is replaced by one with the same id, whose
 * higher epoch fences requests that may still be in flight. Safe for use by many threads.
 */
final class PartitionWriter {
  /** Longer than any outage that ends without help. */
  private static final Duration GIVE_UP_AFTER = Duration.ofHours(12);

  /**
   * How many confirmations to remember that came after their sender had given up; a later publish
   * of the message gets them.
   */
  private static final int MAX_LATE = 10_000;

  private static final int BATCH_BYTES = 1 << 20;

  private final DurableStream stream;
  private final String producerId;
  private final StreamTransportSettings settings;
  private final UnconfirmedLimit room;
  private final Lock lock = new ReentrantLock();
  private final Map<String, Pending> pending = new HashMap<>();
  private final Map<String, PublishResult> late = new LinkedHashMap<>();
  private @Nullable CompletableFuture<IdempotentProducer> producer;
  private boolean used;
  private boolean closed;

  PartitionWriter(
      DurableStream stream,
      String producerId,
      StreamTransportSettings settings,
      UnconfirmedLimit room) {
    this.stream = stream.as(ContentType.JSON);
    this.producerId = producerId;
    this.settings = settings;
    this.room = room;
  }

  /** A message without a confirmation. */
  private static final class Pending {
    private final String id;
    private final byte[] frame;
    private final CompletableFuture<PublishResult> done = new CompletableFuture<>();

    /** Its sender got a timeout. */
    private boolean overdue;

    Pending(String id, byte[] frame) {
      this.id = id;
      this.frame = frame;
    }
  }

  CompletableFuture<PublishResult> publish(Message message) {
    byte[] frame = MessageFrame.of(message);
    if (frame.length > settings.maxMessageBytes()) {
      return CompletableFuture.failedFuture(
          new PublishFailed(
              Kind.REFUSED,
              "the message is %d bytes long as it is stored and the limit (maxMessageBytes) is %d: send less of it"
                  .formatted(frame.length, settings.maxMessageBytes())));
    }
    Pending mine = new Pending(message.id(), frame);
    CompletableFuture<IdempotentProducer> via;
    lock.lock();
    try {
      PublishResult before = late.remove(message.id());
      if (before != null) {
        return CompletableFuture.completedFuture(before);
      }
      Pending same = pending.get(message.id());
      if (same != null) {
        return answer(same);
      }
      if (closed) {
        throw new PublishFailed(Kind.UNREACHABLE, "the transport is closed");
      }
      room.take(frame.length);
      pending.put(mine.id, mine);
      via = producer();
    } catch (PublishFailed e) {
      return CompletableFuture.failedFuture(e);
    } finally {
      lock.unlock();
    }
    CompletableFuture<PublishResult> answer = answer(mine);
    var unused =
        via.whenComplete(
            (open, failure) -> {
              if (failure == null) {
                append(via, open, mine);
              } else {
                settle(mine, null, failed(failure));
              }
            });
    return answer;
  }

  /** Completes in good time, even if the server never answers. */
  private CompletableFuture<PublishResult> answer(Pending of) {
    return of.done
        .copy()
        .orTimeout(settings.confirmWithin().toMillis(), TimeUnit.MILLISECONDS)
        .exceptionallyCompose(
            failure -> {
              Throwable cause = cause(failure);
              return cause instanceof TimeoutException
                  ? tooLate(of)
                  : CompletableFuture.failedFuture(cause);
            });
  }

  private CompletableFuture<PublishResult> tooLate(Pending which) {
    lock.lock();
    try {
      if (pending.get(which.id) != which) {
        return which.done.copy(); // settled just now, so it is not in late
      }
      if (!which.overdue) {
        which.overdue = true;
        room.overdue(1);
      }
    } finally {
      lock.unlock();
    }
    return CompletableFuture.failedFuture(
        new PublishFailed(
            Kind.UNREACHABLE,
            "%s did not confirm the message within %s: it may be there or not, and is still being sent"
                .formatted(stream.url(), settings.confirmWithin())));
  }

  private CompletableFuture<IdempotentProducer> producer() {
    CompletableFuture<IdempotentProducer> now = producer;
    if (now == null) {
      CompletableFuture<IdempotentProducer> next = new CompletableFuture<>();
      now = next;
      producer = next;
      if (settings.create()) {
        Loop.beside("semel-lane-opens", () -> open(next));
      } else {
        open(next);
      }
    }
    return now;
  }

  private void open(CompletableFuture<IdempotentProducer> next) {
    try {
      if (settings.create()) {
        stream.create(ContentType.JSON);
      }
      next.complete(IdempotentProducer.open(stream, producerId, producing()));
    } catch (RuntimeException | Error e) { // the next message tries again
      discard(next);
      next.completeExceptionally(e);
    }
  }

  /** The first producer need not ask the server for its epoch, because its id is new. */
  private ProducerSettings producing() {
    ProducerSettings producing =
        ProducerSettings.defaults()
            .withLinger(Duration.ZERO)
            .withMaxBatchBytes(BATCH_BYTES)
            .withMaxPending(2 * UnconfirmedLimit.MAX_BYTES, Duration.ZERO)
            .withTimeouts(settings.confirmWithin(), GIVE_UP_AFTER);
    lock.lock();
    try {
      boolean first = !used;
      used = true;
      return first ? producing.withEpoch(0) : producing;
    } finally {
      lock.unlock();
    }
  }

  private void append(
      CompletableFuture<IdempotentProducer> via, IdempotentProducer open, Pending mine) {
    try {
      var unused =
          open.appendAsync(mine.frame)
              .whenComplete(
                  (ack, failure) -> {
                    if (failure == null) {
                      settle(mine, published(ack), null);
                    } else {
                      lost(via, open, mine, cause(failure));
                    }
                  });
    } catch (StoreException | InvalidInput e) {
      lost(via, open, mine, e);
    }
  }

  private static PublishResult published(ProducerAck ack) {
    return new PublishResult(false, ack.next().orElse(""));
  }

  private void lost(
      CompletableFuture<IdempotentProducer> via,
      IdempotentProducer open,
      Pending mine,
      Throwable why) {
    boolean goesOn =
        switch (why) {
          case ProducerException.BufferFull e -> true;
          case ProducerException.Refused e -> e.batch().isPresent() && isOfTheBatch(e);
          default -> false;
        };
    if (!goesOn && discard(via)) {
      Loop.beside("semel-lane-ends", () -> end(open));
    }
    settle(mine, null, failed(why));
  }

  /** Refused for the batch's content: the producer continues with the next batch. */
  private static boolean isOfTheBatch(ProducerException.Refused refused) {
    return refused.status() == 400 || refused.status() == 413;
  }

  @SuppressWarnings("ReferenceEquality") // compared by identity
  private boolean discard(CompletableFuture<IdempotentProducer> which) {
    lock.lock();
    try {
      boolean current = which == producer;
      if (current) {
        producer = null;
      }
      return current;
    } finally {
      lock.unlock();
    }
  }

  private void settle(
      Pending which, @Nullable PublishResult there, @Nullable PublishFailed failure) {
    lock.lock();
    try {
      pending.remove(which.id, which);
      room.give(which.frame.length);
      if (which.overdue) {
        room.overdue(-1);
        if (there != null) {
          late.put(which.id, new PublishResult(true, there.position()));
          if (late.size() > MAX_LATE) {
            late.remove(late.keySet().iterator().next());
          }
        }
      }
    } finally {
      lock.unlock();
    }
    if (there != null) {
      which.done.complete(there);
    } else if (failure != null) {
      which.done.completeExceptionally(failure);
    }
  }

  private static Throwable cause(Throwable failure) {
    return failure instanceof CompletionException && failure.getCause() != null
        ? failure.getCause()
        : failure;
  }

  private PublishFailed failed(Throwable failure) {
    Throwable why = cause(failure);
    return StreamFailures.of(why, stream.url(), settings.create());
  }

  /** Messages without a confirmation fail. */
  void close() {
    CompletableFuture<IdempotentProducer> last;
    lock.lock();
    try {
      closed = true;
      last = producer;
      producer = null;
    } finally {
      lock.unlock();
    }
    if (last != null) {
      var unused = last.whenComplete((open, failure) -> endIfOpen(open));
    }
  }

  private static void endIfOpen(@Nullable IdempotentProducer open) {
    if (open != null) {
      end(open);
    }
  }

  /** Ends at once: close does not wait when its thread is interrupted. */
  private static void end(IdempotentProducer open) {
    boolean before = Thread.interrupted();
    Thread.currentThread().interrupt();
    try {
      open.close();
    } catch (ProducerException e) {
      // The senders of the remaining messages got the failure.
    } finally {
      boolean unused = Thread.interrupted();
      if (before) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
