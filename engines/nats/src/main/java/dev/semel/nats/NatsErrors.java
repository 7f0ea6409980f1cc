package dev.semel.nats;

import dev.semel.StoreException;
import dev.semel.transport.PublishFailed;
import dev.semel.transport.PublishFailed.Kind;
import io.nats.client.JetStreamApiException;
import io.nats.client.api.ApiResponse;
import java.util.Set;

/** Translates the broker's error codes. */
final class NatsErrors {
  static final int STREAM_NOT_FOUND = 10059;
  static final Set<Integer> NO_SUCH_MESSAGE = Set.of(10037, 10043);

  /** Another writer wrote to the subject meanwhile. */
  static final Set<Integer> WRONG_LAST_SEQUENCE = Set.of(10071, 10164);

  private static final Set<Integer> EXPECTATIONS = Set.of(10070, 10071, 10164);

  /** Too large, another stream's subject, headers too long, a sealed stream. */
  private static final Set<Integer> NEVER = Set.of(10054, 10060, 10097, 10109);

  /** Full, out of memory or disk, without a leader, too many at once. */
  private static final Set<Integer> LATER =
      Set.of(10002, 10008, 10009, 10023, 10028, 10047, 10077, 10163, 10167);

  private NatsErrors() {}

  /**
   * Whether the requested item is missing.
   *
   * @param what the requested item's name for messages
   * @throws StoreException another error, so that it is not known
   */
  static boolean missing(ApiResponse<?> answer, String what) {
    if (!answer.hasError()) {
      return false;
    }
    if (NO_SUCH_MESSAGE.contains(answer.getApiErrorCode())) {
      return true;
    }
    throw new StoreException(
        "%s can't be read. NATS said: %s [%d]"
            .formatted(what, answer.getDescription(), answer.getApiErrorCode()));
  }

  /** The error of a message. */
  static StoreException of(JetStreamApiException answer) {
    int code = answer.getApiErrorCode();
    String said = "NATS said: %s [%d]".formatted(answer.getErrorDescription(), code);
    if (EXPECTATIONS.contains(code)) {
      return new ExpectationFailed(
          "the stream is not as expected: read on, and decide anew. " + said);
    }
    if (NEVER.contains(code)) {
      return new PublishFailed(
          Kind.REFUSED, "the message is refused for good, by a limit. " + said);
    }
    if (LATER.contains(code)) {
      return new PublishFailed(
          Kind.BUSY, "the stream can't take the message now: look for its limits. " + said);
    }
    // Whatever the cause is, the message may be sent again, so an unknown cause does no harm.
    return new PublishFailed(Kind.UNREACHABLE, "the message was not confirmed. " + said);
  }
}
