package dev.semel.stream.client;

import dev.semel.StoreException;
import dev.semel.stream.client.internal.HttpReply;
import java.time.Duration;

/** A refusal by the server that may be over soon. */
final class TransientRefusal extends StoreException {
  private static final long serialVersionUID = 1L;

  /** Longest pause that a server may ask for; a longer one is cut to this. */
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

  /** The exception for a reader's answer without success. */
  static StoreException orFinal(HttpReply reply) {
    StoreException why = ServerRefusals.of(reply);
    return is(reply) ? new TransientRefusal(why, pause(reply)) : why;
  }

  /** The pause that the server asks for, within that limit. */
  static Duration pause(HttpReply reply) {
    Duration asked = reply.retryAfter();
    return asked.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : asked;
  }

  /** The exception for a caller that gives up. */
  StoreException why() {
    return why;
  }

  /** The pause that the server asks for. */
  Duration pause() {
    return pause;
  }
}
