package dev.semel.tck;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Key;
import dev.semel.Token;
import dev.semel.idempotency.ClaimResult;
import dev.semel.idempotency.Fingerprint;
import dev.semel.idempotency.Payload;
import dev.semel.idempotency.StoredFailure;
import dev.semel.idempotency.TakeoverPolicy;
import dev.semel.idempotency.spi.ClaimRequest;
import dev.semel.idempotency.spi.ExecutionEnd;
import dev.semel.idempotency.spi.StoredRecord;
import dev.semel.internal.Ids;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.extension.ExtendWith;

/** Helpers that the parts of the contract share. */
@ExtendWith(FailureNamesStore.class)
abstract class ContractWords {
  /**
   * A lease or a retention that a test lets end without acting before: short, because a real engine
   * must wait for it.
   */
  static final Duration LEASE = Duration.ofMillis(200);

  /** A retention that a test lets end, long enough for a slow machine to act within it. */
  static final Duration SHORT_RETENTION = Duration.ofSeconds(1);

  /** A lease and a retention that do not end during a test, however slow the machine. */
  static final Duration LONG_LEASE = Duration.ofMinutes(10);

  static final Duration LONG_RETENTION = Duration.ofHours(10);

  /** Longer than both: steps that must change nothing ask for this, so that a change would show. */
  private static final Duration LONGER = LONG_RETENTION.multipliedBy(2);

  static final Fingerprint REQUEST = Fingerprint.of("{\"amount\":10}");
  static final Fingerprint OTHER_REQUEST = Fingerprint.of("{\"amount\":11}");
  static final Payload RESPONSE = payload("created");
  static final StoredFailure FAILURE = new StoredFailure("card.Declined", "insufficient funds");

  protected abstract StoreUnderTest store();

  static Key freshKey() {
    return Key.of("payments", Ids.uuid7().toString());
  }

  static ClaimRequest request(
      Key key, Token token, Fingerprint fingerprint, Duration lease, TakeoverPolicy takeover) {
    return new ClaimRequest(key, token, fingerprint, lease, LONG_RETENTION, takeover, "");
  }

  static Payload payload(String text) {
    return new Payload("text/plain", text.getBytes(StandardCharsets.UTF_8));
  }

  ClaimResult claim(ClaimRequest request) {
    return store().idempotency().claim(request);
  }

  ClaimResult claim(Key key, Token token) {
    return claim(request(key, token, REQUEST, LONG_LEASE, TakeoverPolicy.IN_DOUBT));
  }

  /** Another caller's claim of the same request. */
  ClaimResult claimAgain(Key key, TakeoverPolicy takeover) {
    return claimAgain(key, REQUEST, takeover);
  }

  ClaimResult claimAgain(Key key, Fingerprint fingerprint, TakeoverPolicy takeover) {
    return claim(request(key, Token.draw(), fingerprint, LONG_LEASE, takeover));
  }

  /** Claims the key with a new token and a long lease; fails unless granted. */
  Token hold(Key key) {
    return granted(claim(key, Token.draw())).token();
  }

  /** Claims the key with a new token; the record is kept for {@code retention} at most. */
  Token hold(Key key, Duration lease, Duration retention) {
    Token token = Token.draw();
    granted(
        claim(
            new ClaimRequest(key, token, REQUEST, lease, retention, TakeoverPolicy.IN_DOUBT, "")));
    return token;
  }

  /** Claims the key and stays silent until the lease has ended. */
  Token holdUntilLeaseEnded(Key key) {
    Token token = hold(key, LEASE, LONG_RETENTION);
    store().elapse(LEASE);
    return token;
  }

  boolean renew(Key key, Token token) {
    return renew(key, token, LONG_LEASE);
  }

  boolean renew(Key key, Token token, Duration lease) {
    return store().idempotency().renew(key, token, lease);
  }

  boolean complete(Key key, Token token) {
    return complete(key, token, RESPONSE);
  }

  boolean complete(Key key, Token token, Payload response) {
    return complete(key, token, response, LONG_RETENTION);
  }

  boolean complete(Key key, Token token, Payload response, Duration retention) {
    return store().idempotency().complete(key, token, ExecutionEnd.completed(response), retention);
  }

  boolean fail(Key key, Token token) {
    return fail(key, token, FAILURE);
  }

  boolean fail(Key key, Token token, StoredFailure failure) {
    return store().idempotency().complete(key, token, ExecutionEnd.failed(failure), LONG_RETENTION);
  }

  boolean release(Key key, Token token) {
    return store().idempotency().release(key, token);
  }

  Optional<StoredRecord> find(Key key) {
    return store().idempotency().find(key);
  }

  StoredRecord found(Key key) {
    Optional<StoredRecord> existing = find(key);
    assertThat(existing).as("the record of %s", key).isPresent();
    return existing.orElseThrow();
  }

  /** Checks that the token is fenced, and that its attempts change nothing. */
  void assertFenced(Key key, Token stale) {
    Optional<StoredRecord> before = find(key);
    assertThat(renew(key, stale, LONGER)).as("renewed with a stale token").isFalse();
    assertThat(complete(key, stale, payload("stale"), LONGER))
        .as("completed with a stale token")
        .isFalse();
    assertThat(fail(key, stale)).as("failed with a stale token").isFalse();
    assertThat(release(key, stale)).as("released with a stale token").isFalse();
    Optional<StoredRecord> after = find(key);
    assertThat(after.map(Unchanging::of)).isEqualTo(before.map(Unchanging::of));
    assertThat(after.map(StoredRecord::leaseLeft).orElse(Duration.ZERO))
        .as("the lease of who holds it")
        .isLessThanOrEqualTo(before.map(StoredRecord::leaseLeft).orElse(Duration.ZERO));
    assertThat(after.map(e -> e.original().retentionLeft()).orElse(Duration.ZERO))
        .as("what is left of its retention")
        .isLessThanOrEqualTo(before.map(e -> e.original().retentionLeft()).orElse(Duration.ZERO));
  }

  /** The parts of a record that do not depend on the time of the read. */
  private record Unchanging(
      Object state, Token token, Fingerprint fingerprint, Payload payload, int attempt) {
    static Unchanging of(StoredRecord e) {
      return new Unchanging(
          e.state(), e.token(), e.fingerprint(), e.payload(), e.original().attempt());
    }
  }

  static ClaimResult.Granted granted(ClaimResult claim) {
    return answer(ClaimResult.Granted.class, claim);
  }

  static ClaimResult.Replay replay(ClaimResult claim) {
    return answer(ClaimResult.Replay.class, claim);
  }

  static <T extends ClaimResult> T answer(Class<T> expected, ClaimResult claim) {
    assertThat(claim).isInstanceOf(expected);
    return expected.cast(claim);
  }
}
