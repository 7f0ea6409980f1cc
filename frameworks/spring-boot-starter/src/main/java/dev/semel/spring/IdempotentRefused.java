package dev.semel.spring;

import dev.semel.FirstExecution;
import dev.semel.Key;
import dev.semel.idempotency.StoredFailure;
import java.time.Duration;

/** Thrown by an {@link Idempotent} method that was not executed and has no result to return. */
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

  /** Another caller is executing this key. Ask again later. */
  public static final class InFlight extends IdempotentRefused {
    private static final long serialVersionUID = 1L;

    private final Duration left;

    InFlight(Key key, Duration left) {
      super(key, "is being executed by another caller: ask again in " + left);
      this.left = left;
    }

    /** How long to wait before asking again. */
    public Duration left() {
      return left;
    }
  }

  /** The key was used with other arguments. Asking again does not help. */
  public static final class Mismatch extends IdempotentRefused {
    private static final long serialVersionUID = 1L;

    Mismatch(Key key) {
      super(key, "was used for another request: take a new key for this one");
    }
  }

  /**
   * An earlier attempt stopped without recording a result. An operator must find out whether it
   * took effect.
   */
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

  /**
   * The first execution failed and the failure was stored, or its result was not kept; the kind
   * says which.
   */
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
