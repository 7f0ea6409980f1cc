package dev.semel.tck;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Ids;
import dev.semel.Key;
import dev.semel.Token;
import dev.semel.idempotency.Claim;
import dev.semel.idempotency.ClaimRequest;
import dev.semel.idempotency.Ending;
import dev.semel.idempotency.Existing;
import dev.semel.idempotency.Fingerprint;
import dev.semel.idempotency.Payload;
import dev.semel.idempotency.Takeover;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** The words that the parts of the contract share. */
abstract class Contract {
  /** A lease that a test lets end: short, because on a real engine it is waited for. */
  static final Duration LEASE = Duration.ofMillis(200);

  /** A retention that a test lets end; long enough for a slow machine to act within it. */
  static final Duration SHORT_RETENTION = Duration.ofSeconds(1);

  /** Neither ends during a test, however slow the machine. */
  static final Duration LONG_LEASE = Duration.ofMinutes(10);

  static final Duration LONG_RETENTION = Duration.ofHours(10);

  static final Fingerprint REQUEST = Fingerprint.of("{\"amount\":10}");
  static final Fingerprint OTHER_REQUEST = Fingerprint.of("{\"amount\":11}");
  static final Payload RESPONSE = payload("created");

  protected abstract StoreUnderTest store();

  static Key freshKey() {
    return Key.of("payments", Ids.uuid7().toString());
  }

  /** A claimant's first sight of a key: long lease, long retention, in doubt when a lease ends. */
  static ClaimRequest request(Key key, Token token) {
    return request(key, token, REQUEST, LONG_LEASE, Takeover.IN_DOUBT);
  }

  static ClaimRequest request(
      Key key, Token token, Fingerprint fingerprint, Duration lease, Takeover takeover) {
    return new ClaimRequest(key, token, fingerprint, lease, LONG_RETENTION, takeover, "");
  }

  static Payload payload(String text) {
    return new Payload("text/plain", text.getBytes(StandardCharsets.UTF_8));
  }

  Claim claim(Key key, Token token) {
    return store().idempotency().claim(request(key, token));
  }

  /** Someone else's claim of the same request. */
  Claim claimAgain(Key key, Takeover takeover) {
    return claimAgain(key, REQUEST, takeover);
  }

  Claim claimAgain(Key key, Fingerprint fingerprint, Takeover takeover) {
    return store()
        .idempotency()
        .claim(request(key, Token.draw(), fingerprint, LONG_LEASE, takeover));
  }

  /** Claims the key for a new token and insists on the grant. */
  Token hold(Key key) {
    Token token = Token.draw();
    granted(claim(key, token));
    return token;
  }

  /** A holder that said nothing until its lease ended. */
  Token holdUntilLeaseEnded(Key key) {
    Token token = Token.draw();
    granted(store().idempotency().claim(request(key, token, REQUEST, LEASE, Takeover.IN_DOUBT)));
    store().elapse(LEASE);
    return token;
  }

  boolean renew(Key key, Token token) {
    return store().idempotency().renew(key, token, LONG_LEASE);
  }

  boolean complete(Key key, Token token, Payload response) {
    return store().idempotency().complete(key, token, Ending.completed(response), LONG_RETENTION);
  }

  boolean complete(Key key, Token token) {
    return complete(key, token, RESPONSE);
  }

  boolean release(Key key, Token token) {
    return store().idempotency().release(key, token);
  }

  Existing found(Key key) {
    return store().idempotency().find(key).orElseThrow();
  }

  static Claim.Granted granted(Claim claim) {
    assertThat(claim).isInstanceOf(Claim.Granted.class);
    return (Claim.Granted) claim;
  }

  static Claim.Replay replay(Claim claim) {
    assertThat(claim).isInstanceOf(Claim.Replay.class);
    return (Claim.Replay) claim;
  }
}
