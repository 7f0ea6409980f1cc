package dev.semel.stream.client;

import dev.semel.StoreException;
import dev.semel.stream.client.internal.AnswerLost;
import dev.semel.stream.client.internal.HttpReply;
import dev.semel.stream.client.internal.NotSent;
import dev.semel.stream.client.internal.RetrySchedule;
import java.net.http.HttpRequest;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;

/**
 * Appends at a given tail or not at all, even when answers are lost: sends each message again as
 * the same batch of a producer until the server gives its result. For one thread.
 */
final class ConditionalAppends {
  private final DurableStream stream;
  private final RetrySchedule retries;
  private String producer = fresh();
  private long sequence;

  /**
   * Appends to this stream.
   *
   * @param options how long to keep trying
   */
  ConditionalAppends(DurableStream stream, ReadOptions options) {
    this.stream = stream;
    this.retries = new RetrySchedule(options);
  }

  private static String fresh() {
    return UUID.randomUUID().toString();
  }

  /**
   * The offset after the message, or empty when the tail has moved and nothing was written.
   *
   * @throws StreamRefused the server refused the message and does not have it
   */
  Optional<String> append(String tail, byte[] message) {
    boolean known = false;
    try {
      Optional<String> written = repeated(tail, message);
      known = true;
      // A refusal because of the tail does not use up the sequence.
      sequence += written.isPresent() ? 1 : 0;
      return written;
    } finally {
      if (!known) {
        // The batch may still be in flight: the server would take another message with its number
        // for a duplicate of it.
        startAnew();
      }
    }
  }

  private void startAnew() {
    producer = fresh();
    sequence = 0;
  }

  private Optional<String> repeated(String tail, byte[] message) {
    boolean lost = false;
    while (true) {
      try {
        HttpReply reply = stream.calls().ask(request(tail, message));
        if (forgotten(reply) && !lost) {
          startAnew();
        } else if (!TransientRefusal.is(reply)) {
          retries.answered(true);
          return outcome(reply, lost);
        } else {
          lost |= !(ServerRefusals.of(reply) instanceof StreamRefused);
          pause(ServerRefusals.of(reply), TransientRefusal.pause(reply));
        }
      } catch (NotSent e) {
        pause(e, Duration.ZERO);
      } catch (AnswerLost e) {
        lost = true;
        pause(e, Duration.ZERO);
      }
    }
  }

  private HttpRequest request(String tail, byte[] message) {
    return stream
        .post(message)
        .header("If-Match", DurableStream.quoted(tail))
        .header("Producer-Id", producer)
        .header("Producer-Epoch", "0")
        .header("Producer-Seq", Long.toString(sequence))
        .build();
  }

  /** Servers forget producers that have not written for a long time. */
  private boolean forgotten(HttpReply reply) {
    return sequence > 0
        && reply.status() == 409
        && reply.header("Producer-Expected-Seq").equals(Optional.of("0"));
  }

  private Optional<String> outcome(HttpReply reply, boolean lost) {
    if (reply.ok()) {
      // The answer to a repeated batch need not have an offset.
      return Optional.of(reply.header("Stream-Next-Offset").orElseGet(() -> stream.info().tail()));
    }
    if (reply.status() == 412) {
      return Optional.empty();
    }
    StoreException refused = ServerRefusals.of(reply);
    if (lost) {
      throw new StoreException(
          "an answer was lost, and then the append was refused: whether it was written is unknown. "
              + refused.getMessage(),
          refused);
    }
    throw refused;
  }

  private void pause(StoreException failure, Duration atLeast) {
    long nanos = retries.afterFailure(failure, atLeast);
    long end = System.nanoTime() + nanos;
    for (long left = nanos; left > 0; left = end - System.nanoTime()) {
      if (Thread.currentThread().isInterrupted()) {
        throw failure;
      }
      LockSupport.parkNanos(this, left);
    }
  }
}
