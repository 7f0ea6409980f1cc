package dev.semel.event;

import dev.semel.Key;
import dev.semel.Original;
import java.time.Duration;

/** A decision or a step that someone may want to see. */
public sealed interface Event {
  Key key();

  /** The caller's own name for the request this is about; may be empty. */
  String requestId();

  /** The caller holds the key and runs. */
  record Claimed(Key key, String requestId, int attempt) implements Event {}

  /** The caller runs although an earlier holder may have: its lease ended without a word. */
  record TakenOver(Key key, String requestId, int attempt) implements Event {}

  /** The work was done and its response recorded. */
  record Completed(Key key, String requestId, int attempt, Duration took, int responseBytes)
      implements Event {}

  /** The work failed for good and its failure was recorded. */
  record FailureStored(Key key, String requestId, int attempt, String kind) implements Event {}

  /** The work failed; the key was given back so that a retry runs. */
  record Released(Key key, String requestId, int attempt, String kind) implements Event {}

  /** A duplicate got the first one's response or final failure. */
  record Replayed(Key key, String requestId, Original original) implements Event {}

  /** A duplicate was refused because the first one still runs. */
  record InFlight(Key key, String requestId, Original original, Duration leaseLeft)
      implements Event {}

  /** The key belongs to another request. */
  record Mismatched(Key key, String requestId, Original original) implements Event {}

  /** An earlier holder's lease ended without a word; this caller was told so. */
  record InDoubt(Key key, String requestId, Original original) implements Event {}

  /** A renewal, completion or release came with a token that no longer held the key. */
  record Fenced(Key key, String requestId, int attempt, String step) implements Event {}

  /** The work was done but its end could not be recorded: to everyone else it is in doubt. */
  record Unrecorded(Key key, String requestId, int attempt) implements Event {}

  /** Two different requests had the same short content hash; this one went to its own key. */
  record Collided(Key key, String requestId, Key movedTo) implements Event {}

  /** The store could not be asked, or its answer did not arrive. */
  record StoreFailed(Key key, String requestId, String step, String message) implements Event {}
}
