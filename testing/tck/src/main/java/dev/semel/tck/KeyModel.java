package dev.semel.tck;

import dev.semel.Token;
import dev.semel.idempotency.Fingerprint;
import dev.semel.idempotency.Payload;
import dev.semel.idempotency.TakeoverPolicy;
import dev.semel.idempotency.spi.RecordState;
import org.jspecify.annotations.Nullable;

/**
 * A minimal model of one key's record, to compare a store with. Answers are texts such as {@code
 * Granted 2}, so that a difference is readable.
 */
final class KeyModel {
  private @Nullable RecordState state; // null: no record
  private @Nullable Token token;
  private Fingerprint fingerprint = Fingerprint.NONE;
  private Payload payload = Payload.EMPTY;
  private int attempt;
  private boolean leaseEnded;

  String claim(Token claimant, Fingerprint asked, TakeoverPolicy takeover) {
    boolean own = state == RecordState.IN_FLIGHT && claimant.equals(token);
    if (own) {
      return "Granted " + attempt;
    }
    if (state == null || state == RecordState.RELEASED) {
      return grant(claimant, asked);
    }
    if (!fingerprint.matches(asked)) {
      return "Mismatch " + attempt;
    }
    if (state.ended()) {
      return (state == RecordState.COMPLETED ? "Replay " : "Failed ") + attempt;
    }
    if (!leaseEnded) {
      return "InFlight " + attempt;
    }
    return takeover == TakeoverPolicy.RUN_AGAIN ? grant(claimant, asked) : "InDoubt " + attempt;
  }

  private String grant(Token claimant, Fingerprint asked) {
    state = RecordState.IN_FLIGHT;
    token = claimant;
    fingerprint = asked;
    leaseEnded = false;
    attempt++;
    return "Granted " + attempt;
  }

  boolean heldBy(Token holder) {
    return state == RecordState.IN_FLIGHT && holder.equals(token);
  }

  boolean renew(Token holder) {
    leaseEnded &= !heldBy(holder);
    return heldBy(holder);
  }

  boolean complete(Token holder, RecordState end, Payload response) {
    if (heldBy(holder)) {
      state = end;
      payload = response;
      return true;
    }
    return state != null && state.ended() && holder.equals(token);
  }

  boolean release(Token holder) {
    if (heldBy(holder)) {
      state = RecordState.RELEASED;
      payload = Payload.EMPTY;
      return true;
    }
    return state == RecordState.RELEASED && holder.equals(token);
  }

  boolean forceRelease() {
    if (state == null) {
      return false;
    }
    state = RecordState.RELEASED;
    token = null;
    payload = Payload.EMPTY;
    return true;
  }

  boolean forget() {
    boolean there = state != null;
    state = null;
    payload = Payload.EMPTY;
    attempt = 0;
    return there;
  }

  void endLease() {
    leaseEnded = true;
  }

  String shown() {
    return state == null ? "none" : state + " " + attempt + " " + payload.hashCode();
  }
}
