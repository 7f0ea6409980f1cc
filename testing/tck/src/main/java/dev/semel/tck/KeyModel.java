package dev.semel.tck;

import dev.semel.Token;
import dev.semel.idempotency.Fingerprint;
import dev.semel.idempotency.Payload;
import dev.semel.idempotency.State;
import dev.semel.idempotency.Takeover;
import org.jspecify.annotations.Nullable;

/**
 * What one key's record should be, in the fewest words, to compare a store with. Answers are texts
 * such as {@code Granted 2}, so that a difference can be read.
 */
final class KeyModel {
  private @Nullable State state; // null: there is no record
  private @Nullable Token token;
  private Fingerprint fingerprint = Fingerprint.NONE;
  private Payload payload = Payload.EMPTY;
  private int attempt;
  private boolean leaseEnded;

  String claim(Token claimant, Fingerprint asked, Takeover takeover) {
    boolean own = state == State.IN_FLIGHT && claimant.equals(token);
    if (own) {
      return "Granted " + attempt;
    }
    if (state == null || state == State.RELEASED) {
      return grant(claimant, asked);
    }
    if (!fingerprint.matches(asked)) {
      return "Mismatch " + attempt;
    }
    if (state.ended()) {
      return (state == State.COMPLETED ? "Replay " : "Failed ") + attempt;
    }
    if (!leaseEnded) {
      return "InFlight " + attempt;
    }
    return takeover == Takeover.RUN_AGAIN ? grant(claimant, asked) : "InDoubt " + attempt;
  }

  private String grant(Token claimant, Fingerprint asked) {
    state = State.IN_FLIGHT;
    token = claimant;
    fingerprint = asked;
    leaseEnded = false;
    attempt++;
    return "Granted " + attempt;
  }

  boolean heldBy(Token holder) {
    return state == State.IN_FLIGHT && holder.equals(token);
  }

  boolean renew(Token holder) {
    leaseEnded &= !heldBy(holder);
    return heldBy(holder);
  }

  boolean complete(Token holder, State end, Payload response) {
    if (heldBy(holder)) {
      state = end;
      payload = response;
      return true;
    }
    return state != null && state.ended() && holder.equals(token);
  }

  boolean release(Token holder) {
    if (heldBy(holder)) {
      state = State.RELEASED;
      payload = Payload.EMPTY;
      return true;
    }
    return state == State.RELEASED && holder.equals(token);
  }

  boolean forceRelease() {
    if (state == null) {
      return false;
    }
    state = State.RELEASED;
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
