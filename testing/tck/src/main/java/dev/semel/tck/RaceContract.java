package dev.semel.tck;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Key;
import dev.semel.Token;
import dev.semel.idempotency.ClaimResult;
import dev.semel.idempotency.TakeoverPolicy;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Of many simultaneous claims, one runs. */
abstract class RaceContract extends ContractWords {
  private static final int PLATFORM_RACERS = 16;
  private static final int VIRTUAL_RACERS = 64;

  /** The result of the holder's step, and the claimants' answers meanwhile. */
  private record Raced(boolean holder, List<ClaimResult> claims) {}

  @Test
  void amongPlatformThreadsExactlyOneIsGranted() {
    for (int round = 0; round < store().raceRounds(); round++) {
      Key key = freshKey();
      assertOneGranted(
          Racers.onPlatformThreads(
              PLATFORM_RACERS, i -> claimAgain(key, TakeoverPolicy.RUN_AGAIN)));
    }
  }

  @Test
  void amongVirtualThreadsExactlyOneIsGranted() {
    for (int round = 0; round < store().raceRounds(); round++) {
      Key key = freshKey();
      assertOneGranted(
          Racers.onVirtualThreads(VIRTUAL_RACERS, i -> claimAgain(key, TakeoverPolicy.IN_DOUBT)));
    }
  }

  private static void assertOneGranted(List<ClaimResult> claims) {
    assertThat(claims).filteredOn(ClaimResult.Granted.class::isInstance).hasSize(1);
    assertThat(claims)
        .filteredOn(ClaimResult.InFlight.class::isInstance)
        .as("everyone else is told that it is in flight")
        .hasSize(claims.size() - 1);
  }

  /**
   * A store that reads first and writes the response last would let every duplicate in between run.
   */
  @Test
  void duplicatesThatComeWhileTheFirstRunsDoNotRun() {
    Key key = freshKey();
    AtomicInteger runs = new AtomicInteger();
    List<ClaimResult> claims =
        Racers.onVirtualThreads(
            VIRTUAL_RACERS,
            i -> {
              ClaimResult claim = claimAgain(key, TakeoverPolicy.RUN_AGAIN);
              if (claim instanceof ClaimResult.Granted granted) {
                runs.incrementAndGet();
                assertThat(complete(key, granted.token())).isTrue();
              }
              return claim;
            });
    assertThat(runs).hasValue(1);
    assertThat(claims)
        .allMatch(
            c ->
                c instanceof ClaimResult.Granted
                    || c instanceof ClaimResult.InFlight
                    || (c instanceof ClaimResult.Replay r && r.response().equals(RESPONSE)));
  }

  @Test
  void afterALeaseEndedExactlyOneTakesOver() {
    for (Key key : keysWithEndedLeases().keys()) {
      List<ClaimResult> claims =
          Racers.onPlatformThreads(PLATFORM_RACERS, i -> claimAgain(key, TakeoverPolicy.RUN_AGAIN));
      assertOneGranted(claims);
      ClaimResult.Granted granted = onlyGrant(claims);
      assertThat(granted.takenOver()).isTrue();
      assertThat(granted.attempt()).isEqualTo(2);
    }
  }

  @Test
  void afterAReleaseExactlyOneIsGranted() {
    for (int round = 0; round < store().raceRounds(); round++) {
      Key key = freshKey();
      release(key, hold(key));
      List<ClaimResult> claims =
          Racers.onPlatformThreads(PLATFORM_RACERS, i -> claimAgain(key, TakeoverPolicy.IN_DOUBT));
      assertOneGranted(claims);
      assertThat(onlyGrant(claims).attempt()).isEqualTo(2);
    }
  }

  @Test
  void oneClaimAskedManyTimesAtOnceIsOneGrant() {
    Key key = freshKey();
    Token token = Token.draw();
    List<ClaimResult> claims = Racers.onVirtualThreads(VIRTUAL_RACERS, i -> claim(key, token));
    assertThat(claims).containsOnly(new ClaimResult.Granted(token, 1, false));
  }

  @Test
  void lateCompletionAndTakeoverNeverBothSucceed() {
    EndedLeases ended = keysWithEndedLeases();
    for (int i = 0; i < ended.keys().size(); i++) {
      Key key = ended.keys().get(i);
      Token late = ended.holders().get(i);
      Raced raced = race(key, () -> complete(key, late, payload("late")));
      if (raced.holder()) {
        assertThat(raced.claims()).noneMatch(ClaimResult.Granted.class::isInstance);
        assertThat(found(key).payload()).isEqualTo(payload("late"));
      } else {
        assertThat(onlyGrant(raced.claims()).takenOver()).isTrue();
        assertFenced(key, late);
      }
    }
  }

  @Test
  void lateRenewalAndTakeoverNeverBothSucceed() {
    EndedLeases ended = keysWithEndedLeases();
    for (int i = 0; i < ended.keys().size(); i++) {
      Key key = ended.keys().get(i);
      Token late = ended.holders().get(i);
      Raced raced = race(key, () -> renew(key, late));
      if (raced.holder()) {
        assertThat(raced.claims()).noneMatch(ClaimResult.Granted.class::isInstance);
        assertThat(complete(key, late)).isTrue();
      } else {
        assertThat(onlyGrant(raced.claims()).takenOver()).isTrue();
        assertFenced(key, late);
      }
    }
  }

  private Raced race(Key key, BooleanSupplier holdersStep) {
    List<Object> results =
        Racers.onPlatformThreads(
            4,
            i ->
                i == 0
                    ? (Object) holdersStep.getAsBoolean()
                    : claimAgain(key, TakeoverPolicy.RUN_AGAIN));
    return new Raced(
        (Boolean) results.get(0), results.stream().skip(1).map(ClaimResult.class::cast).toList());
  }

  private record EndedLeases(List<Key> keys, List<Token> holders) {}

  /** Prepares several keys at once, so that their leases end together. */
  private EndedLeases keysWithEndedLeases() {
    List<Key> keys = Stream.generate(ContractWords::freshKey).limit(store().raceRounds()).toList();
    List<Token> holders = keys.stream().map(key -> hold(key, LEASE, LONG_RETENTION)).toList();
    store().elapse(LEASE);
    return new EndedLeases(keys, holders);
  }

  private static ClaimResult.Granted onlyGrant(List<ClaimResult> claims) {
    List<ClaimResult> grants =
        claims.stream().filter(ClaimResult.Granted.class::isInstance).toList();
    assertThat(grants).hasSize(1);
    return granted(grants.get(0));
  }
}
