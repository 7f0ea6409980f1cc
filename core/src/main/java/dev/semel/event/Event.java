package dev.semel.event;

import dev.semel.FirstExecution;
import dev.semel.InvalidInput;
import dev.semel.Key;
import dev.semel.Operation;
import java.time.Duration;
import java.util.Optional;

/** One decision or step, reported to a {@link SemelListener} for logs, meters and the event log. */
public sealed interface Event {
  /**
   * The key that the event is about; for a message, the key of the execution that sent it, if
   * known.
   */
  default Optional<Key> about() {
    return Optional.empty();
  }

  /** An event about one key. */
  sealed interface Keyed extends Event {
    Key key();

    @Override
    default Optional<Key> about() {
      return Optional.of(key());
    }

    /** The caller's name for its request; may be empty. */
    String requestId();
  }

  /** The caller holds the key and runs. */
  record Claimed(Key key, String requestId, int attempt) implements Keyed {}

  /**
   * The caller runs although an earlier execution may have taken effect: its lease ended without a
   * result.
   */
  record TakenOver(Key key, String requestId, int attempt) implements Keyed {}

  /** The work was done and its response recorded. */
  record Completed(Key key, String requestId, int attempt, Duration took, int responseBytes)
      implements Keyed {}

  /** The work failed for good and its failure was recorded. */
  record FailureStored(Key key, String requestId, int attempt, String kind) implements Keyed {}

  /**
   * The work failed; the key was given back so that a retry runs.
   *
   * @param message the exception's message; empty: it has none, or there was no exception
   */
  record Released(Key key, String requestId, int attempt, String kind, String message)
      implements Keyed {}

  /** A duplicate got the first one's response or final failure. */
  record Replayed(Key key, String requestId, FirstExecution original) implements Keyed {}

  /** A duplicate was refused because the first one still runs. */
  record InFlight(Key key, String requestId, FirstExecution original, Duration leaseLeft)
      implements Keyed {}

  /** The key belongs to another request. */
  record Mismatched(Key key, String requestId, FirstExecution original) implements Keyed {}

  /** An earlier execution's lease ended without a result; this caller got that as its outcome. */
  record InDoubt(Key key, String requestId, FirstExecution original) implements Keyed {}

  /** A renewal, completion or release was refused: its token no longer held the key. */
  record Fenced(Key key, String requestId, int attempt, String step) implements Keyed {}

  /** The work was done, or may have been, and its end is not recorded: to others it is in doubt. */
  record Unrecorded(Key key, String requestId, int attempt) implements Keyed {}

  /** The work outlived its record: the retention ended first, so a duplicate may have run. */
  record Outlived(Key key, String requestId, int attempt) implements Keyed {}

  /** Two different requests had the same short content hash; this one went to its own key. */
  record Collided(Key key, String requestId, Key movedTo) implements Keyed {}

  /** The store did not answer, or its answer was lost. */
  record StoreFailed(Key key, String requestId, String step, String message) implements Keyed {}

  /** The work ran without protection. */
  record Unguarded(Key key, String requestId, Reason reason) implements Keyed {
    /** Why nothing protected the work. */
    public enum Reason {
      /** The operation's settings say off. */
      OFF,
      /** The operation is only observed, and this was a duplicate. */
      OBSERVED,
      /** The store was away, and the policy says to go on. */
      STORE_AWAY
    }
  }

  /** Work that ran while the store was away was compared with the store once it was back. */
  record Reconciled(Key key, String requestId, Verdict verdict) implements Keyed {
    /** The result of the comparison. */
    public enum Verdict {
      /** Nobody else had run it; its response is now in the store. */
      RECORDED,
      /** Its work failed, so the key was released. */
      GIVEN_BACK,
      /** Another caller ran it too. */
      RAN_TWICE,
      /** This execution, or another one with the key, ended without recording a result. */
      IN_DOUBT,
      /** The key belongs to another request. */
      MISMATCH
    }
  }

  /** Two key strategies disagree on whether this request is the same as an earlier one. */
  record StrategiesDiffer(Key key, String requestId, String shadowId, Difference difference)
      implements Keyed {
    /** Which strategy sees a duplicate. */
    public enum Difference {
      ONLY_CURRENT_SEES_A_DUPLICATE,
      ONLY_SHADOW_SEES_A_DUPLICATE
    }
  }

  /**
   * A job's handler failed, and the job will run again.
   *
   * @param pause until the next attempt
   */
  record JobRetried(Key key, String requestId, int attempt, Duration pause, String reason)
      implements Keyed {}

  /** A job will not be tried again: it is a dead letter, and an operator has to look. */
  record JobBuried(Key key, String requestId, int attempt, Grave grave, String reason)
      implements Keyed {
    /** Why the job is a dead letter. */
    public enum Grave {
      /** It failed too often. */
      GAVE_UP,
      /** It failed for good. */
      FINAL,
      /** Whether it took effect is unknown. */
      IN_DOUBT
    }
  }

  /** A job's worker let its lease end without a result; the queue hands the job out again. */
  record JobLost(Key key, String requestId) implements Keyed {}

  /** An event about one operation as a whole. */
  sealed interface OfOperation extends Event {
    Operation operation();
  }

  /** A queue's workers pause because many jobs failed in a row, or work again. */
  record CircuitChanged(Operation operation, boolean open, String reason) implements OfOperation {}

  /**
   * Far more duplicates arrive than usually do, or as many as usual again.
   *
   * @param hitRate the share of duplicates among all requests, in percent
   * @param threshold the limit for that share; it follows from the operation's past
   * @param over true: the storm is over
   */
  record DuplicateStorm(
      Operation operation, double hitRate, double threshold, String suggestion, boolean over)
      implements OfOperation {}

  /** An event about one message. */
  sealed interface Messaged extends Event {
    Mention message();

    /** Another system's header may hold anything; a text that is no key names no execution. */
    @Override
    default Optional<Key> about() {
      if (message().key().isEmpty()) {
        return Optional.empty();
      }
      try {
        return Optional.of(Key.parse(message().key()));
      } catch (InvalidInput e) {
        return Optional.empty();
      }
    }
  }

  /**
   * A message, as events name it.
   *
   * @param consumer its consumer; empty: it is not delivered yet
   * @param key of the execution that sent it, as text; empty: not known
   */
  record Mention(String id, String destination, String consumer, String key) {}

  /**
   * The broker confirmed the message.
   *
   * @param duplicate true: the broker had it already
   */
  record Published(Mention message, boolean duplicate) implements Messaged {}

  /** An audit found that the message was missing in the outbox, and added it. */
  record Rebuilt(Mention message) implements Messaged {}

  /** The broker refused the message; it is tried again, or is a dead letter. */
  record PublishRefused(Mention message, int attempt, String reason) implements Messaged {}

  /** The message took effect, or was stored to do so later. */
  record Consumed(Mention message) implements Messaged {}

  /** The message was delivered again after it had taken effect, and did nothing. */
  record Redelivered(Mention message) implements Messaged {}

  /** The message's handler failed; it is tried again, or is a dead letter. */
  record HandlerFailed(Mention message, String reason) implements Messaged {}

  /**
   * The relay or the consumer gave the message up: it is a dead letter, and an operator has to
   * look.
   */
  record DeadLettered(Mention message, String reason) implements Messaged {}

  /**
   * A background loop of this process failed and continues. At most one event per minute and loop.
   *
   * @param loop its name, such as {@code semel-relay}
   * @param count how often it has failed since the process started
   */
  record LoopFailed(String loop, long count, String reason) implements Event {}

  /**
   * A server or gateway cut callers that did not read, because it held too many bytes for all
   * callers together. At most one event per second.
   *
   * @param callers how many it cut
   * @param heldBytes how many bytes were held before
   * @param limitBytes how many may be: the setting {@code held-bytes}
   */
  record CallersCut(int callers, long heldBytes, long limitBytes) implements Event {}

  /**
   * This machine's clock is far from the store's. Only times that people read depend on it.
   *
   * @param ahead negative: it is behind
   */
  record ClockSkewed(Duration ahead) implements Event {}

  /**
   * An operator changed something.
   *
   * @param target what was changed, such as an operation's name
   */
  record Changed(String actor, String action, String target) implements Event {}

  /**
   * Events of this process were dropped because there were too many at once.
   *
   * @param notable how many of those were out of the ordinary; the others come with every execution
   *     and every message, and leaving some of them out is no loss
   */
  record Skipped(long count, long notable) implements Event {}

  /**
   * An alert began or ended.
   *
   * @param rule such as {@code outbox-lag}
   * @param subject what the alert is about, such as an operation; empty: the rule has only one
   *     subject
   * @param seen in the rule's own unit: percent, seconds, or a number
   * @param limit in the same unit
   * @param text a sentence for people: what was seen, and what the limit is
   * @param advice what to do; empty: the alert is over
   */
  record AlertChanged(
      String rule,
      String subject,
      String severity,
      boolean firing,
      double seen,
      double limit,
      String text,
      String advice)
      implements Event {}
}
