package dev.semel.nats;

import dev.semel.StoreException;
import io.nats.client.Connection;
import io.nats.client.JetStreamApiException;
import io.nats.client.api.ApiResponse;
import io.nats.client.api.MessageInfo;
import io.nats.client.api.PublishAck;
import io.nats.client.impl.Headers;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Reads and writes single messages of a stream. Reads ask the stream's leader, which knows the last
 * message.
 */
final class JobStream {
  private static final int DELETION_FAILED = 10057;
  private static final byte[] NOTHING = new byte[0];

  /** The result of a write. */
  sealed interface Put {
    /** The message is stored. */
    record Stored(long sequence) implements Put {}

    /** A message with this id was stored within the duplicate window. */
    record Known() implements Put {}

    /** The subject has a message already. */
    record Refused() implements Put {}
  }

  private final NatsLink link;
  private final String name;
  private final Duration timeout;

  JobStream(NatsLink link, String name, Duration timeout) {
    this.link = link;
    this.name = name;
    this.timeout = timeout;
  }

  String name() {
    return name;
  }

  Duration timeout() {
    return timeout;
  }

  Connection connection() {
    return link.require();
  }

  CompletableFuture<io.nats.client.Message> request(
      String subject, @Nullable Headers headers, byte[] body) {
    try {
      return link.require().requestWithTimeout(subject, headers, body, timeout);
    } catch (IllegalStateException e) { // closed meanwhile, or its buffers are full
      return CompletableFuture.failedFuture(new StoreException(link.why(), e));
    }
  }

  /** Waits for an answer. */
  io.nats.client.Message answer(CompletableFuture<io.nats.client.Message> asked) {
    try {
      return asked.get(timeout.toNanos() * 2, TimeUnit.NANOSECONDS);
    } catch (ExecutionException | TimeoutException | CancellationException e) {
      if (e.getCause() instanceof StoreException known) {
        throw known;
      }
      throw new StoreException(
          "NATS did not answer within %s: what was asked for may have happened or not"
              .formatted(timeout),
          e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new StoreException("interrupted while waiting for NATS", e);
    }
  }

  CompletableFuture<io.nats.client.Message> askLast(String subject) {
    return get("{\"last_by_subj\":\"%s\"}".formatted(subject));
  }

  private CompletableFuture<io.nats.client.Message> get(String which) {
    return request(
        "$JS.API.STREAM.MSG.GET." + name, null, which.getBytes(StandardCharsets.US_ASCII));
  }

  Optional<JobRecord> read(CompletableFuture<io.nats.client.Message> asked) {
    MessageInfo found = new MessageInfo(answer(asked), name, false);
    return missing(found) ? Optional.empty() : Optional.of(JobRecord.of(found));
  }

  private static boolean missing(ApiResponse<?> answer) {
    return NatsErrors.missing(answer, "the jobs' stream");
  }

  Optional<JobRecord> last(String subject) {
    return read(askLast(subject));
  }

  /** The first message with at least this sequence. */
  Optional<JobRecord> next(String subject, long sequence) {
    return read(get("{\"seq\":" + sequence + ",\"next_by_subj\":\"" + subject + "\"}"));
  }

  boolean has(long sequence) {
    return read(get("{\"seq\":" + sequence + "}")).isPresent();
  }

  CompletableFuture<io.nats.client.Message> send(String subject, Headers headers, byte[] body) {
    headers.put(NatsMessages.EXPECTED_STREAM, name);
    return request(subject, headers, body);
  }

  Put confirmed(CompletableFuture<io.nats.client.Message> sent) {
    try {
      PublishAck ack = new PublishAck(answer(sent));
      return ack.isDuplicate() ? new Put.Known() : new Put.Stored(ack.getSeqno());
    } catch (JetStreamApiException e) {
      if (NatsErrors.WRONG_LAST_SEQUENCE.contains(e.getApiErrorCode())) {
        return new Put.Refused();
      }
      throw NatsErrors.of(e);
    } catch (IOException e) {
      throw new StoreException("the answer to a message can't be read", e);
    }
  }

  Put put(String subject, Headers headers, byte[] body) {
    return confirmed(send(subject, headers, body));
  }

  /** Deletes a message; a missing one is no error. */
  void delete(long sequence) {
    Plain deleted =
        new Plain(
            answer(
                request(
                    "$JS.API.STREAM.MSG.DELETE." + name,
                    null,
                    ("{\"seq\":" + sequence + ",\"no_erase\":true}")
                        .getBytes(StandardCharsets.US_ASCII))));
    // A message before the stream's first one gives a general error, so this checks whether it
    // exists.
    if (deleted.getApiErrorCode() != DELETION_FAILED || has(sequence)) {
      missing(deleted);
    }
  }

  void deleteAll(String subject) {
    missing(
        new Plain(
            answer(
                request(
                    "$JS.API.STREAM.PURGE." + name,
                    null,
                    "{\"filter\":\"%s\"}"
                        .formatted(subject)
                        .getBytes(StandardCharsets.US_ASCII)))));
  }

  /** An answer of which only the error matters. */
  private static final class Plain extends ApiResponse<Plain> {
    Plain(io.nats.client.Message answer) {
      super(answer);
    }
  }

  static byte[] nothing() {
    return NOTHING;
  }
}
