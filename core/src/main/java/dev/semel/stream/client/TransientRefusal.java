package dev.semel.stream.client;

import dev.semel.StoreException;
import dev.semel.stream.client.internal.HttpReply;
import java.time.Duration;

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

  /** How long the server asks to be left alone, within that limit. */
  static Duration pause(HttpReply reply) {
    Duration asked = reply.retryAfter();
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
