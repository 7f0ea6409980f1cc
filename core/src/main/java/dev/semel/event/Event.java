package dev.semel.event;

import dev.semel.FirstExecution;
import dev.semel.InvalidInput;
import dev.semel.Key;
import dev.semel.Operation;
import java.time.Duration;
import java.util.Optional;

/** A decision or a step that someone may want to see. */
public sealed interface Event {
  /** The key that it is about; for a message, that of the execution which sent it, if known. */
  default Optional<Key> about() {
    return Optional.empty();
  }

  /** About one key. */
  sealed interface Keyed extends Event {
    Key key();

    @Override
    default Optional<Key> about() {
      return Optional.of(key());
    }

    /** The caller's own name for the request this is about; may be empty. */
    String requestId();
  }

  /** The caller holds the key and runs. */
  record Claimed(Key key, String requestId, int attempt) implements Keyed {}

  /** The caller runs although an earlier holder may have: its lease ended without a word. */
  record TakenOver(Key key, String requestId, int attempt) implements Keyed {}

  /** The work was done and its response recorded. */
  record Completed(Key key, String requestId, int attempt, Duration took, int responseBytes)
      implements Keyed {}

  /** The work failed for good and its failure was recorded. */
  record FailureStored(Key key, String requestId, int attempt, String kind) implements Keyed {}

  /**
   * The work failed; the key was given back so that a retry runs.
   *
   * @param message the exception's own; empty: it has none, or there was no exception
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

  /** An earlier holder's lease ended without a word; this caller was told so. */
  record InDoubt(Key key, String requestId, FirstExecution original) implements Keyed {}

  /** A renewal, completion or release came with a token that no longer held the key. */
  record Fenced(Key key, String requestId, int attempt, String step) implements Keyed {}

  /** The work was done, or may have been, and its end is not recorded: to others it is in doubt. */
  record Unrecorded(Key key, String requestId, int attempt) implements Keyed {}

  /** The work outlived its record: the retention ended first, so a duplicate may have run. */
  record Outlived(Key key, String requestId, int attempt) implements Keyed {}

  /** Two different requests had the same short content hash; this one went to its own key. */
  record Collided(Key key, String requestId, Key movedTo) implements Keyed {}

  /** The store could not be asked, or its answer did not arrive. */
  record StoreFailed(Key key, String requestId, String step, String message) implements Keyed {}

  /** The work ran without protection. */
  record Unguarded(Key key, String requestId, Reason reason) implements Keyed {
    /** Why nothing protected it. */
    public enum Reason {
      /** The operation's settings say off. */
      OFF,
      /** The operation is only observed, and this was a duplicate. */
      OBSERVED,
      /** The store was away, and the policy says to go on. */
      STORE_AWAY
    }
  }

  /** What ran while the store was away, held against the store once it was back. */
  record Reconciled(Key key, String requestId, Verdict verdict) implements Keyed {
    /** What became of it. */
    public enum Verdict {
      /** Nobody else had run it; its response is in the store now. */
      RECORDED,
      /** Its work failed, so the key was given back. */
      GIVEN_BACK,
      /** Someone else ran it too. */
      RAN_TWICE,
      /** It, or someone else who had the key, ended without a word. */
      IN_DOUBT,
      /** The key belongs to another request. */
      MISMATCH
    }
  }

  /** Two key strategies disagree on whether this request is the same as an earlier one. */
  record StrategiesDiffer(Key key, String requestId, String shadowId, Difference difference)
      implements Keyed {
    /** Who calls it the same. */
    public enum Difference {
      ONLY_CURRENT_SEES_A_DUPLICATE,
      ONLY_SHADOW_SEES_A_DUPLICATE
    }
  }

  /**
   * A job's handler failed, and it is tried again.
   *
   * @param pause until then
   */
  record JobRetried(Key key, String requestId, int attempt, Duration pause, String reason)
      implements Keyed {}

  /** A job will not be tried again: it is a dead letter, and someone has to look. */
  record JobBuried(Key key, String requestId, int attempt, Grave grave, String reason)
      implements Keyed {
    /** Why. */
    public enum Grave {
      /** It failed too often. */
      GAVE_UP,
      /** It failed for good. */
      FINAL,
      /** Whether it took effect is unknown. */
      IN_DOUBT
    }
  }

  /** A job's worker let its lease end without a word; the job is handed out again. */
  record JobLost(Key key, String requestId) implements Keyed {}

  /** About one operation as a whole. */
  sealed interface OfOperation extends Event {
    Operation operation();
  }

  /** So many jobs of a queue failed in a row that its workers rest, or work again. */
  record CircuitChanged(Operation operation, boolean open, String reason) implements OfOperation {}

  /**
   * Far more duplicates arrive than usually do, or as many as usual again.
   *
   * @param hitRate of all requests, how many were duplicates, in percent
   * @param threshold what that was held against; it follows from the operation's own past
   * @param over it is over
   */
  record DuplicateStorm(
      Operation operation, double hitRate, double threshold, String suggestion, boolean over)
      implements OfOperation {}

  /** About one message on its way. */
  sealed interface Messaged extends Event {
    Mention message();

    /** A stranger's header may say anything; what is no key is nobody's. */
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
   * A message, as far as events name it.
   *
   * @param consumer who hears it; empty: it is not yet that far
   * @param key of the execution that sent it, as text; empty: not known
   */
  record Mention(String id, String destination, String consumer, String key) {}

  /**
   * The broker has confirmed it.
   *
   * @param duplicate it was there already
   */
  record Published(Mention message, boolean duplicate) implements Messaged {}

  /** It should have been in the outbox and was not, as an audit found; now it is. */
  record Rebuilt(Mention message) implements Messaged {}

  /** The broker did not take it; it is tried again, or a dead letter. */
  record PublishRefused(Mention message, int attempt, String reason) implements Messaged {}

  /** It took effect, or was stored to do so later. */
  record Consumed(Mention message) implements Messaged {}

  /** It was delivered although it had taken effect before, and did nothing. */
  record Redelivered(Mention message) implements Messaged {}

  /** Its handler failed; it is tried again, or a dead letter. */
  record HandlerFailed(Mention message, String reason) implements Messaged {}

  /** It will not be tried again, by the relay or by its consumer: someone has to look. */
  record DeadLettered(Mention message, String reason) implements Messaged {}

  /**
   * A background loop of this process failed, and goes on. At most one event a minute and loop.
   *
   * @param loop its name, such as {@code semel-relay}
   * @param count how often it has failed since the process started
   */
  record LoopFailed(String loop, long count, String reason) implements Event {}

  /**
   * A server or gateway cut callers that took nothing, because too many bytes were held for all
   * callers together. At most one event a second.
   *
   * @param callers how many it cut
   * @param heldBytes how many bytes were held before
   * @param limitBytes how many may be: the setting {@code held-bytes}
   */
  record CallersCut(int callers, long heldBytes, long limitBytes) implements Event {}

  /**
   * This machine's clock is far from the store's. Nothing depends on it but what people read.
   *
   * @param ahead negative where it is behind
   */
  record ClockSkewed(Duration ahead) implements Event {}

  /**
   * An operator changed something.
   *
   * @param target what was changed, such as an operation's name
   */
  record Changed(String actor, String action, String target) implements Event {}

  /**
   * So many events of this process were not kept, because there were too many at once.
   *
   * @param notable of those, how many were out of the ordinary; the others come with every
   *     execution and every message, and leaving some of them out is no loss
   */
  record Skipped(long count, long notable) implements Event {}

  /**
   * An alert began, or is over.
   *
   * @param rule such as {@code outbox-lag}
   * @param subject what of it is meant, such as an operation; empty: the rule has but one
   * @param seen in the rule's own unit: percent, seconds, or a number
   * @param limit in the same
   * @param text a sentence for people: what was seen, and what the limit is
   * @param advice what to do; empty: nothing, it is over
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
