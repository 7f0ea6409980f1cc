package dev.semel.tck;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.FirstExecution;
import dev.semel.Key;
import dev.semel.Token;
import dev.semel.idempotency.ClaimResult;
import dev.semel.idempotency.Fingerprint;
import dev.semel.idempotency.Payload;
import dev.semel.idempotency.TakeoverPolicy;
import dev.semel.idempotency.spi.ExecutionEnd;
import dev.semel.idempotency.spi.KeyEntry;
import dev.semel.idempotency.spi.RecordImport;
import dev.semel.idempotency.spi.RecordState;
import dev.semel.idempotency.spi.StoredRecord;
import dev.semel.internal.Ids;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** The import of another store's record keeps it unchanged, and never replaces a newer one. */
abstract class AdoptionContract extends ContractWords {
  /** The tolerance for a record's times, or three digits; the machine may be slow. */
  private static final Duration MARGIN = Duration.ofMinutes(2);

  private static final Duration AGE = Duration.ofMinutes(3);

  private static final int RACERS = 8;

  private final Key key = freshKey();
  private final Token token = Token.draw();

  private RecordImport adopt(StoredRecord record) {
    return bring(key, record);
  }

  private RecordImport bring(Key to, StoredRecord record) {
    return store().catalog().adopt(new KeyEntry(to, record));
  }

  /** A record as another store would show it. */
  private static StoredRecord record(RecordState state, Token token, int attempt) {
    boolean inFlight = state == RecordState.IN_FLIGHT;
    return new StoredRecord(
        state,
        token,
        state == RecordState.RELEASED ? Fingerprint.NONE : REQUEST,
        inFlight ? LONG_LEASE : Duration.ZERO.minus(AGE),
        switch (state) {
          case COMPLETED -> RESPONSE;
          case FAILED -> ExecutionEnd.failed(FAILURE).payload();
          case IN_FLIGHT, RELEASED -> Payload.EMPTY;
        },
        new FirstExecution("request-7", attempt, AGE, LONG_RETENTION));
  }

  /** A record in flight whose lease has ended. */
  private static StoredRecord silent(Token token, int attempt) {
    return withLease(record(RecordState.IN_FLIGHT, token, attempt), LEASE.negated());
  }

  private static StoredRecord withLease(StoredRecord r, Duration lease) {
    return new StoredRecord(
        r.state(), r.token(), r.fingerprint(), lease, r.payload(), r.original());
  }

  private static StoredRecord keptFor(StoredRecord r, Duration retention) {
    FirstExecution o = r.original();
    return new StoredRecord(
        r.state(),
        r.token(),
        r.fingerprint(),
        r.leaseLeft(),
        r.payload(),
        new FirstExecution(o.requestId(), o.attempt(), o.age(), retention));
  }

  /** A token drawn a minute later. */
  private static Token later(Token earlier) {
    long time = Duration.ofMinutes(1).toMillis() << Short.SIZE;
    return new Token(
        new UUID(
            earlier.value().getMostSignificantBits() + time,
            earlier.value().getLeastSignificantBits()));
  }

  private void assertThere(StoredRecord expected) {
    StoredRecord there = found(key);
    assertThat(there.state()).isEqualTo(expected.state());
    assertThat(there.token()).isEqualTo(expected.token());
    assertThat(there.fingerprint()).isEqualTo(expected.fingerprint());
    assertThat(there.payload()).isEqualTo(expected.payload());
    assertThat(there.original().attempt()).isEqualTo(expected.original().attempt());
    assertThat(there.original().requestId()).isEqualTo(expected.original().requestId());
    assertThat(there.original().retentionLeft())
        .isBetween(
            expected.original().retentionLeft().minus(MARGIN), expected.original().retentionLeft());
    if (expected.state() == RecordState.IN_FLIGHT) {
      assertThat(there.leaseLeft())
          .isBetween(expected.leaseLeft().minus(MARGIN), expected.leaseLeft());
    }
  }

  @Nested
  class WhereThereIsNone {
    @Test
    void everyStateIsTakenInAsItWas() {
      for (RecordState state : RecordState.values()) {
        for (int attempt : new int[] {1, 3}) {
          StoredRecord brought = record(state, Token.draw(), attempt);
          assertThat(adopt(brought))
              .as("%s, attempt %d", state, attempt)
              .isEqualTo(RecordImport.COPIED);
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
      StoredRecord plain = record(RecordState.COMPLETED, token, 1);
      StoredRecord brought =
          new StoredRecord(
              plain.state(),
              token,
              Fingerprint.clear("{\"betrag\":\"10 €\"}"),
              plain.leaseLeft(),
              new Payload("application/octet-stream", bytes),
              new FirstExecution("", 1, AGE, LONG_RETENTION));
      assertThat(adopt(brought)).isEqualTo(RecordImport.COPIED);
      assertThere(brought);
    }

    @Test
    void awkwardIdsAreTakenIn() {
      for (String id : AwkwardIds.ALL) {
        Key awkward = Key.of("t" + Ids.uuid7(), "payments", id);
        KeyEntry entry = new KeyEntry(awkward, record(RecordState.COMPLETED, Token.draw(), 1));
        assertThat(store().catalog().adopt(entry)).as(id).isEqualTo(RecordImport.COPIED);
        assertThat(found(awkward).payload()).isEqualTo(RESPONSE);
      }
    }

    @Test
    void completedRecordIsReplayed() {
      adopt(record(RecordState.COMPLETED, token, 1));
      assertThat(replay(claimAgain(key, TakeoverPolicy.IN_DOUBT)).response()).isEqualTo(RESPONSE);
      answer(ClaimResult.Mismatch.class, claimAgain(key, OTHER_REQUEST, TakeoverPolicy.IN_DOUBT));
    }

    @Test
    void failedRecordIsReplayed() {
      adopt(record(RecordState.FAILED, token, 1));
      assertThat(
              answer(ClaimResult.Failed.class, claimAgain(key, TakeoverPolicy.IN_DOUBT)).failure())
          .isEqualTo(FAILURE);
    }

    @Test
    void releasedRecordKeepsItsAttempts() {
      adopt(record(RecordState.RELEASED, token, 3));
      assertThat(granted(claimAgain(key, TakeoverPolicy.IN_DOUBT)).attempt()).isEqualTo(4);
    }

    @Test
    void holderGoesOnHere() {
      adopt(record(RecordState.IN_FLIGHT, token, 2));
      answer(ClaimResult.InFlight.class, claimAgain(key, TakeoverPolicy.RUN_AGAIN));
      assertThat(renew(key, token)).isTrue();
      assertFenced(key, Token.draw());
      assertThat(complete(key, token)).isTrue();
      assertThat(replay(claimAgain(key, TakeoverPolicy.IN_DOUBT)).response()).isEqualTo(RESPONSE);
    }

    @Test
    void leaseRunsOut() {
      adopt(withLease(record(RecordState.IN_FLIGHT, token, 1), LEASE));
      store().elapse(LEASE);
      answer(ClaimResult.InDoubt.class, claimAgain(key, TakeoverPolicy.IN_DOUBT));
      assertThat(granted(claimAgain(key, TakeoverPolicy.RUN_AGAIN)).attempt()).isEqualTo(2);
    }

    @Test
    void leaseThatHadEndedStaysEnded() {
      adopt(silent(token, 1));
      answer(ClaimResult.InDoubt.class, claimAgain(key, TakeoverPolicy.IN_DOUBT));
      assertThat(complete(key, token)).as("the token decides, not the clock").isTrue();
    }

    @Test
    void retentionRunsOut() {
      adopt(keptFor(record(RecordState.COMPLETED, token, 3), LEASE));
      store().elapse(LEASE);
      assertThat(find(key)).isEmpty();
      assertThat(granted(claimAgain(key, OTHER_REQUEST, TakeoverPolicy.IN_DOUBT)).attempt())
          .isEqualTo(1);
    }

    @Test
    void whatHadEndedIsNotTakenIn() {
      StoredRecord ended = keptFor(record(RecordState.COMPLETED, token, 1), Duration.ZERO);
      assertThat(adopt(ended)).isEqualTo(RecordImport.ENDED);
      assertThat(find(key)).isEmpty();
    }

    @Test
    void whatEndedHereGivesWay() {
      hold(key, LEASE, LEASE);
      store().elapse(LEASE);
      StoredRecord brought = record(RecordState.COMPLETED, token, 1);
      assertThat(adopt(brought)).isEqualTo(RecordImport.COPIED);
      assertThere(brought);
    }
  }

  @Nested
  class OfTheSameHolder {
    @Test
    void repetitionChangesNothing() {
      for (RecordState state : RecordState.values()) {
        StoredRecord brought = record(state, Token.draw(), 2);
        adopt(brought);
        assertThat(adopt(brought)).as("%s", state).isEqualTo(RecordImport.SAME);
        assertThere(brought);
        store().catalog().delete(key);
      }
    }

    @Test
    void laterMomentReplacesTheEarlier() {
      for (RecordState state :
          List.of(RecordState.COMPLETED, RecordState.FAILED, RecordState.RELEASED)) {
        Token held = Token.draw();
        adopt(record(RecordState.IN_FLIGHT, held, 1));
        StoredRecord later = record(state, held, 1);
        assertThat(adopt(later)).as("%s", state).isEqualTo(RecordImport.UPDATED);
        assertThere(later);
        assertThat(adopt(record(RecordState.IN_FLIGHT, held, 1))).isEqualTo(RecordImport.NEWER);
        assertThere(later);
        store().catalog().delete(key);
      }
    }

    @Test
    void renewedLeaseIsTakenOver() {
      adopt(silent(token, 1));
      StoredRecord renewed = record(RecordState.IN_FLIGHT, token, 1);
      assertThat(adopt(renewed)).isEqualTo(RecordImport.UPDATED);
      assertThere(renewed);
      assertThat(adopt(silent(token, 1))).isEqualTo(RecordImport.SAME);
      assertThere(renewed);
    }

    @Test
    void anotherResponseStaysOut() {
      adopt(record(RecordState.COMPLETED, token, 1));
      assertThat(adopt(record(RecordState.FAILED, token, 1))).isEqualTo(RecordImport.DIFFERS);
      assertThere(record(RecordState.COMPLETED, token, 1));
    }
  }

  @Nested
  class OfAnotherHolder {
    @Test
    void recordOfTheSameAttemptStays() {
      for (RecordState state : RecordState.values()) {
        StoredRecord there = record(state, Token.draw(), 1);
        adopt(there);
        for (RecordState brought : RecordState.values()) {
          assertThat(adopt(record(brought, Token.draw(), 1)))
              .as("%s meets %s", brought, state)
              .isEqualTo(RecordImport.DIFFERS);
        }
        assertThere(there);
        store().catalog().delete(key);
      }
    }

    @Test
    void nextAttemptFollowsOneThatWasReleased() {
      adopt(record(RecordState.RELEASED, token, 1));
      StoredRecord next = record(RecordState.COMPLETED, Token.draw(), 2);
      assertThat(adopt(next)).isEqualTo(RecordImport.UPDATED);
      assertThere(next);
    }

    @Test
    void nextAttemptFollowsOneThatFellSilent() {
      adopt(silent(token, 1));
      StoredRecord next = record(RecordState.IN_FLIGHT, Token.draw(), 2);
      assertThat(adopt(next)).isEqualTo(RecordImport.UPDATED);
      assertThere(next);
      assertFenced(key, token);
    }

    @Test
    void nextAttemptFollowsOneWhoseCopyIsStillHeld() {
      adopt(record(RecordState.IN_FLIGHT, token, 1));
      StoredRecord next = record(RecordState.COMPLETED, Token.draw(), 2);
      assertThat(adopt(next)).isEqualTo(RecordImport.UPDATED);
      assertThere(next);
      assertFenced(key, token);
    }

    /** As when an application has switched to this store, and the key was never imported. */
    @Test
    void recordThatWasClaimedLaterHereStaysWhateverItsAttempt() {
      for (RecordState state : RecordState.values()) {
        StoredRecord anew = record(state, later(token), 1);
        adopt(anew);
        assertThat(adopt(record(RecordState.RELEASED, token, 2)))
            .as("%s", state)
            .isEqualTo(RecordImport.DIFFERS);
        assertThere(anew);
        store().catalog().delete(key);
      }
    }

    @Test
    void nextAttemptTakesNothingFromAResponse() {
      StoredRecord done = record(RecordState.COMPLETED, token, 1);
      adopt(done);
      assertThat(adopt(record(RecordState.RELEASED, Token.draw(), 2)))
          .isEqualTo(RecordImport.DIFFERS);
      assertThere(done);
    }

    @Test
    void earlierAttemptStaysOut() {
      StoredRecord later = record(RecordState.COMPLETED, Token.draw(), 2);
      adopt(later);
      assertThat(adopt(record(RecordState.RELEASED, token, 1))).isEqualTo(RecordImport.NEWER);
      assertThat(adopt(silent(token, 1))).isEqualTo(RecordImport.NEWER);
      assertThere(later);
    }

    @Test
    void runThatEndedElsewhereAndWasRepeatedHereIsTold() {
      adopt(record(RecordState.COMPLETED, Token.draw(), 2));
      assertThat(adopt(record(RecordState.COMPLETED, token, 1))).isEqualTo(RecordImport.DIFFERS);
    }
  }

  /** Half of the threads import a record, the others claim. */
  @Test
  void ofManyThatBringOrClaimOneHasTheKey() {
    for (int round = 0; round < store().raceRounds(); round++) {
      Key raced = freshKey();
      List<Object> results =
          Racers.onPlatformThreads(
              RACERS,
              i ->
                  i % 2 == 0
                      ? (Object) bring(raced, record(RecordState.COMPLETED, Token.draw(), 1))
                      : claimAgain(raced, TakeoverPolicy.IN_DOUBT));
      assertThat(results)
          .filteredOn(r -> r == RecordImport.COPIED || r instanceof ClaimResult.Granted)
          .as("%s", results)
          .hasSize(1);
      assertThat(results)
          .doesNotContain(RecordImport.UPDATED, RecordImport.SAME, RecordImport.NEWER);
    }
  }
}
