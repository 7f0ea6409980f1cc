package dev.semel.tck;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.FirstExecution;
import dev.semel.Ids;
import dev.semel.Key;
import dev.semel.Token;
import dev.semel.idempotency.Adoption;
import dev.semel.idempotency.Claim;
import dev.semel.idempotency.Ending;
import dev.semel.idempotency.Entry;
import dev.semel.idempotency.Existing;
import dev.semel.idempotency.Fingerprint;
import dev.semel.idempotency.Payload;
import dev.semel.idempotency.State;
import dev.semel.idempotency.Takeover;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** A record of another store is taken in as it was, and never in place of a newer one. */
abstract class AdoptionContract extends Contract {
  /** Times of a record are kept to this, or to three digits; the machine may be slow. */
  private static final Duration MARGIN = Duration.ofMinutes(2);

  private static final Duration AGE = Duration.ofMinutes(3);

  private static final int RACERS = 8;

  private final Key key = freshKey();
  private final Token token = Token.draw();

  private Adoption adopt(Existing record) {
    return bring(key, record);
  }

  private Adoption bring(Key to, Existing record) {
    return store().catalog().adopt(new Entry(to, record));
  }

  /** What another store would show. */
  private static Existing record(State state, Token token, int attempt) {
    boolean inFlight = state == State.IN_FLIGHT;
    return new Existing(
        state,
        token,
        state == State.RELEASED ? Fingerprint.NONE : REQUEST,
        inFlight ? LONG_LEASE : Duration.ZERO.minus(AGE),
        switch (state) {
          case COMPLETED -> RESPONSE;
          case FAILED -> Ending.failed(FAILURE).payload();
          case IN_FLIGHT, RELEASED -> Payload.EMPTY;
        },
        new FirstExecution("request-7", attempt, AGE, LONG_RETENTION));
  }

  /** In flight for nobody any more. */
  private static Existing silent(Token token, int attempt) {
    return withLease(record(State.IN_FLIGHT, token, attempt), LEASE.negated());
  }

  private static Existing withLease(Existing r, Duration lease) {
    return new Existing(r.state(), r.token(), r.fingerprint(), lease, r.payload(), r.original());
  }

  private static Existing keptFor(Existing r, Duration retention) {
    FirstExecution o = r.original();
    return new Existing(
        r.state(),
        r.token(),
        r.fingerprint(),
        r.leaseLeft(),
        r.payload(),
        new FirstExecution(o.requestId(), o.attempt(), o.age(), retention));
  }

  /** Drawn a minute after the other. */
  private static Token later(Token earlier) {
    long time = Duration.ofMinutes(1).toMillis() << Short.SIZE;
    return new Token(
        new UUID(
            earlier.value().getMostSignificantBits() + time,
            earlier.value().getLeastSignificantBits()));
  }

  private void assertThere(Existing expected) {
    Existing there = found(key);
    assertThat(there.state()).isEqualTo(expected.state());
    assertThat(there.token()).isEqualTo(expected.token());
    assertThat(there.fingerprint()).isEqualTo(expected.fingerprint());
    assertThat(there.payload()).isEqualTo(expected.payload());
    assertThat(there.original().attempt()).isEqualTo(expected.original().attempt());
    assertThat(there.original().requestId()).isEqualTo(expected.original().requestId());
    assertThat(there.original().retentionLeft())
        .isBetween(
            expected.original().retentionLeft().minus(MARGIN), expected.original().retentionLeft());
    if (expected.state() == State.IN_FLIGHT) {
      assertThat(there.leaseLeft())
          .isBetween(expected.leaseLeft().minus(MARGIN), expected.leaseLeft());
    }
  }

  @Nested
  class WhereThereIsNone {
    @Test
    void everyStateIsTakenInAsItWas() {
      for (State state : State.values()) {
        for (int attempt : new int[] {1, 3}) {
          Existing brought = record(state, Token.draw(), attempt);
          assertThat(adopt(brought))
              .as("%s, attempt %d", state, attempt)
              .isEqualTo(Adoption.COPIED);
          assertThere(brought);
          store().catalog().delete(key);
        }
      }
    }

    @Test
    void clearFingerprintsAndAnyBytesAreKept() {
      byte[] bytes = new byte[256];
      for (int i = 0; i < bytes.length; i++) {
        bytes[i] = (byte) i;
      }
      Existing plain = record(State.COMPLETED, token, 1);
      Existing brought =
          new Existing(
              plain.state(),
              token,
              Fingerprint.clear("{\"betrag\":\"10 €\"}"),
              plain.leaseLeft(),
              new Payload("application/octet-stream", bytes),
              new FirstExecution("", 1, AGE, LONG_RETENTION));
      assertThat(adopt(brought)).isEqualTo(Adoption.COPIED);
      assertThere(brought);
    }

    @Test
    void awkwardIdsAreTakenIn() {
      for (String id : AwkwardIds.ALL) {
        Key awkward = Key.of("t" + Ids.uuid7(), "payments", id);
        Entry entry = new Entry(awkward, record(State.COMPLETED, Token.draw(), 1));
        assertThat(store().catalog().adopt(entry)).as(id).isEqualTo(Adoption.COPIED);
        assertThat(found(awkward).payload()).isEqualTo(RESPONSE);
      }
    }

    @Test
    void completedRecordIsReplayed() {
      adopt(record(State.COMPLETED, token, 1));
      assertThat(replay(claimAgain(key, Takeover.IN_DOUBT)).response()).isEqualTo(RESPONSE);
      answer(Claim.Mismatch.class, claimAgain(key, OTHER_REQUEST, Takeover.IN_DOUBT));
    }

    @Test
    void failedRecordIsReplayed() {
      adopt(record(State.FAILED, token, 1));
      assertThat(answer(Claim.Failed.class, claimAgain(key, Takeover.IN_DOUBT)).failure())
          .isEqualTo(FAILURE);
    }

    @Test
    void releasedRecordKeepsItsAttempts() {
      adopt(record(State.RELEASED, token, 3));
      assertThat(granted(claimAgain(key, Takeover.IN_DOUBT)).attempt()).isEqualTo(4);
    }

    @Test
    void holderGoesOnHere() {
      adopt(record(State.IN_FLIGHT, token, 2));
      answer(Claim.InFlight.class, claimAgain(key, Takeover.RUN_AGAIN));
      assertThat(renew(key, token)).isTrue();
      assertFenced(key, Token.draw());
      assertThat(complete(key, token)).isTrue();
      assertThat(replay(claimAgain(key, Takeover.IN_DOUBT)).response()).isEqualTo(RESPONSE);
    }

    @Test
    void leaseRunsOut() {
      adopt(withLease(record(State.IN_FLIGHT, token, 1), LEASE));
      store().elapse(LEASE);
      answer(Claim.InDoubt.class, claimAgain(key, Takeover.IN_DOUBT));
      assertThat(granted(claimAgain(key, Takeover.RUN_AGAIN)).attempt()).isEqualTo(2);
    }

    @Test
    void leaseThatHadEndedStaysEnded() {
      adopt(silent(token, 1));
      answer(Claim.InDoubt.class, claimAgain(key, Takeover.IN_DOUBT));
      assertThat(complete(key, token)).as("the token decides, not the clock").isTrue();
    }

    @Test
    void retentionRunsOut() {
      adopt(keptFor(record(State.COMPLETED, token, 3), LEASE));
      store().elapse(LEASE);
      assertThat(find(key)).isEmpty();
      assertThat(granted(claimAgain(key, OTHER_REQUEST, Takeover.IN_DOUBT)).attempt()).isEqualTo(1);
    }

    @Test
    void whatHadEndedIsNotTakenIn() {
      Existing ended = keptFor(record(State.COMPLETED, token, 1), Duration.ZERO);
      assertThat(adopt(ended)).isEqualTo(Adoption.ENDED);
      assertThat(find(key)).isEmpty();
    }

    @Test
    void whatEndedHereGivesWay() {
      hold(key, LEASE, LEASE);
      store().elapse(LEASE);
      Existing brought = record(State.COMPLETED, token, 1);
      assertThat(adopt(brought)).isEqualTo(Adoption.COPIED);
      assertThere(brought);
    }
  }

  @Nested
  class OfTheSameHolder {
    @Test
    void repetitionChangesNothing() {
      for (State state : State.values()) {
        Existing brought = record(state, Token.draw(), 2);
        adopt(brought);
        assertThat(adopt(brought)).as("%s", state).isEqualTo(Adoption.SAME);
        assertThere(brought);
        store().catalog().delete(key);
      }
    }

    @Test
    void laterMomentReplacesTheEarlier() {
      for (State state : List.of(State.COMPLETED, State.FAILED, State.RELEASED)) {
        Token held = Token.draw();
        adopt(record(State.IN_FLIGHT, held, 1));
        Existing later = record(state, held, 1);
        assertThat(adopt(later)).as("%s", state).isEqualTo(Adoption.UPDATED);
        assertThere(later);
        assertThat(adopt(record(State.IN_FLIGHT, held, 1))).isEqualTo(Adoption.NEWER);
        assertThere(later);
        store().catalog().delete(key);
      }
    }

    @Test
    void renewedLeaseIsTakenOver() {
      adopt(silent(token, 1));
      Existing renewed = record(State.IN_FLIGHT, token, 1);
      assertThat(adopt(renewed)).isEqualTo(Adoption.UPDATED);
      assertThere(renewed);
      assertThat(adopt(silent(token, 1))).isEqualTo(Adoption.SAME);
      assertThere(renewed);
    }

    @Test
    void anotherResponseStaysOut() {
      adopt(record(State.COMPLETED, token, 1));
      assertThat(adopt(record(State.FAILED, token, 1))).isEqualTo(Adoption.DIFFERS);
      assertThere(record(State.COMPLETED, token, 1));
    }
  }

  @Nested
  class OfAnotherHolder {
    @Test
    void recordOfTheSameAttemptStays() {
      for (State state : State.values()) {
        Existing there = record(state, Token.draw(), 1);
        adopt(there);
        for (State brought : State.values()) {
          assertThat(adopt(record(brought, Token.draw(), 1)))
              .as("%s meets %s", brought, state)
              .isEqualTo(Adoption.DIFFERS);
        }
        assertThere(there);
        store().catalog().delete(key);
      }
    }

    @Test
    void nextAttemptFollowsOneThatWasReleased() {
      adopt(record(State.RELEASED, token, 1));
      Existing next = record(State.COMPLETED, Token.draw(), 2);
      assertThat(adopt(next)).isEqualTo(Adoption.UPDATED);
      assertThere(next);
    }

    @Test
    void nextAttemptFollowsOneThatFellSilent() {
      adopt(silent(token, 1));
      Existing next = record(State.IN_FLIGHT, Token.draw(), 2);
      assertThat(adopt(next)).isEqualTo(Adoption.UPDATED);
      assertThere(next);
      assertFenced(key, token);
    }

    @Test
    void nextAttemptFollowsOneWhoseCopyIsStillHeld() {
      adopt(record(State.IN_FLIGHT, token, 1));
      Existing next = record(State.COMPLETED, Token.draw(), 2);
      assertThat(adopt(next)).isEqualTo(Adoption.UPDATED);
      assertThere(next);
      assertFenced(key, token);
    }

    /** As when an application has gone over, and the key was never brought. */
    @Test
    void recordThatWasClaimedLaterHereStaysWhateverItsAttempt() {
      for (State state : State.values()) {
        Existing anew = record(state, later(token), 1);
        adopt(anew);
        assertThat(adopt(record(State.RELEASED, token, 2)))
            .as("%s", state)
            .isEqualTo(Adoption.DIFFERS);
        assertThere(anew);
        store().catalog().delete(key);
      }
    }

    @Test
    void nextAttemptTakesNothingFromAResponse() {
      Existing done = record(State.COMPLETED, token, 1);
      adopt(done);
      assertThat(adopt(record(State.RELEASED, Token.draw(), 2))).isEqualTo(Adoption.DIFFERS);
      assertThere(done);
    }

    @Test
    void earlierAttemptStaysOut() {
      Existing later = record(State.COMPLETED, Token.draw(), 2);
      adopt(later);
      assertThat(adopt(record(State.RELEASED, token, 1))).isEqualTo(Adoption.NEWER);
      assertThat(adopt(silent(token, 1))).isEqualTo(Adoption.NEWER);
      assertThere(later);
    }

    @Test
    void runThatEndedElsewhereAndWasRepeatedHereIsTold() {
      adopt(record(State.COMPLETED, Token.draw(), 2));
      assertThat(adopt(record(State.COMPLETED, token, 1))).isEqualTo(Adoption.DIFFERS);
    }
  }

  /** Half of them bring a record of their own, the others claim. */
  @Test
  void ofManyThatBringOrClaimOneHasTheKey() {
    for (int round = 0; round < store().raceRounds(); round++) {
      Key raced = freshKey();
      List<Object> results =
          Racers.onPlatformThreads(
              RACERS,
              i ->
                  i % 2 == 0
                      ? (Object) bring(raced, record(State.COMPLETED, Token.draw(), 1))
                      : claimAgain(raced, Takeover.IN_DOUBT));
      assertThat(results)
          .filteredOn(r -> r == Adoption.COPIED || r instanceof Claim.Granted)
          .as("%s", results)
          .hasSize(1);
      assertThat(results).doesNotContain(Adoption.UPDATED, Adoption.SAME, Adoption.NEWER);
    }
  }
}
