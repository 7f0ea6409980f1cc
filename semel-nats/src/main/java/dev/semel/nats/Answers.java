package dev.semel.nats;

import dev.semel.StoreException;
import dev.semel.transport.PublishFailed;
import dev.semel.transport.PublishFailed.Kind;
import io.nats.client.JetStreamApiException;
import java.util.Set;

/** What the broker's refusals mean for a message. */
final class Answers {
  static final int STREAM_NOT_FOUND = 10059;

  private static final Set<Integer> EXPECTATIONS = Set.of(10070, 10071, 10164);

  /** Too large, another stream's subject, headers too long, a sealed stream. */
  private static final Set<Integer> NEVER = Set.of(10054, 10060, 10097, 10109);

  /** Full, short of memory or disk, without a leader, too many at once. */
  private static final Set<Integer> LATER =
      Set.of(10002, 10008, 10009, 10023, 10028, 10047, 10077, 10163, 10167);

  private Answers() {}

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
    // Whatever it is, the message may be sent again: so nothing is lost by not knowing.
    return new PublishFailed(Kind.UNREACHABLE, "the message was not confirmed. " + said);
  }
}
