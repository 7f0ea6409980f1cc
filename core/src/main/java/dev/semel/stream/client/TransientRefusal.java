package dev.semel.stream.client;

import dev.semel.StoreException;
import dev.semel.stream.client.internal.HttpReply;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;

/** The server answered, but with something that may be over soon. */
final class TransientRefusal extends StoreException {
  private static final long serialVersionUID = 1L;

  /** Longest pause that a server may ask for; a longer one counts as this. */
  static final Duration LONGEST_PAUSE = Duration.ofMinutes(1);

  private final StoreException why;
  private final Duration pause;

  private TransientRefusal(StoreException why, Duration pause) {
    super(String.valueOf(why.getMessage()), why);
    this.why = why;
    this.pause = pause;
  }

  /** Whether trying again later may help. */
  static boolean is(HttpReply reply) {
    return switch (reply.status()) {
      case 408, 429 -> true;
      case 501, 505, 507 -> false;
      default -> reply.status() >= 500;
    };
  }

  /** What to throw for a reader's answer that is no success. */
  static StoreException orFinal(HttpReply reply) {
    StoreException why = ServerRefusals.of(reply);
    return is(reply) ? new TransientRefusal(why, pause(reply)) : why;
  }

  /** Seconds or a date; what is neither asks for no pause. */
  static Duration pause(HttpReply reply) {
    String after = reply.header("Retry-After").orElse("0").strip();
    Duration asked;
    if (after.matches("[0-9]{1,9}")) {
      asked = Duration.ofSeconds(Long.parseLong(after));
    } else {
      try {
        OffsetDateTime then = OffsetDateTime.parse(after, DateTimeFormatter.RFC_1123_DATE_TIME);
        asked = Duration.between(OffsetDateTime.now(ZoneOffset.UTC), then);
      } catch (DateTimeParseException e) {
        asked = Duration.ZERO;
      }
    }
    if (asked.isNegative()) {
      return Duration.ZERO;
    }
    return asked.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : asked;
  }

  /** What whoever gives up should be told. */
  StoreException why() {
    return why;
  }

  /** How long the server wants to be left alone. */
  Duration pause() {
    return pause;
  }
}
