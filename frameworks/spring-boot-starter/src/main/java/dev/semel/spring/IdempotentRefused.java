package dev.semel.spring;

import dev.semel.FirstExecution;
import dev.semel.Key;
import dev.semel.idempotency.StoredFailure;
import java.time.Duration;

/** An {@link Idempotent} method was not executed, and there is no result to give. */
public abstract sealed class IdempotentRefused extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient Key key;

  private IdempotentRefused(Key key, String message) {
    super(key + " " + message);
    this.key = key;
  }

  public Key key() {
    return key;
  }

  /** Someone else is at it. Ask again later. */
  public static final class InFlight extends IdempotentRefused {
    private static final long serialVersionUID = 1L;

    private final Duration left;

    InFlight(Key key, Duration left) {
      super(key, "is being executed by another caller: ask again in " + left);
      this.left = left;
    }

    /** After this time it is known more. */
    public Duration left() {
      return left;
    }
  }

  /** The key was used with other arguments. Asking again will not help. */
  public static final class Mismatch extends IdempotentRefused {
    private static final long serialVersionUID = 1L;

    Mismatch(Key key) {
      super(key, "was used for another request: take a new key for this one");
    }
  }

  /** An earlier attempt ended without a word. Someone has to find out what became of it. */
  public static final class InDoubt extends IdempotentRefused {
    private static final long serialVersionUID = 1L;

    private final transient FirstExecution original;

    InDoubt(Key key, FirstExecution original) {
      super(
          key,
          "is in doubt: attempt %d died before it was recorded; find out whether it took effect, then release or delete the key"
              .formatted(original.attempt()));
      this.original = original;
    }

    public FirstExecution original() {
      return original;
    }
  }

  /** It failed for good before, or its result was not kept; the kind says which. */
  public static final class FailedBefore extends IdempotentRefused {
    private static final long serialVersionUID = 1L;

    private final transient StoredFailure failure;

    FailedBefore(Key key, StoredFailure failure) {
      super(key, "was executed before: " + failure.kind() + ": " + failure.message());
      this.failure = failure;
    }

    public StoredFailure failure() {
      return failure;
    }
  }
}
