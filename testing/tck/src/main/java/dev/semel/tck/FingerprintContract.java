package dev.semel.tck;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Key;
import dev.semel.Token;
import dev.semel.idempotency.ClaimResult;
import dev.semel.idempotency.Fingerprint;
import dev.semel.idempotency.TakeoverPolicy;
import java.util.Locale;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** A key belongs to the request that first used it. */
abstract class FingerprintContract extends ContractWords {
  private final Key key = freshKey();

  private void assertMismatch() {
    for (TakeoverPolicy takeover : TakeoverPolicy.values()) {
      ClaimResult claim = claimAgain(key, OTHER_REQUEST, takeover);
      assertThat(answer(ClaimResult.Mismatch.class, claim).stored()).isEqualTo(REQUEST);
    }
  }

  @Nested
  class AnotherRequestIsFound {
    @Test
    void whileTheFirstIsInFlight() {
      Token holder = hold(key);
      assertMismatch();
      assertThat(complete(key, holder)).isTrue();
    }

    @Test
    void afterTheFirstRenewedItsLease() {
      renew(key, hold(key));
      assertMismatch();
    }

    @Test
    void afterTheFirstCompleted() {
      complete(key, hold(key));
      assertMismatch();
    }

    @Test
    void afterTheFirstFailedForGood() {
      fail(key, hold(key));
      assertMismatch();
    }

    @Test
    void afterTheFirstLetItsLeaseEnd() {
      holdUntilLeaseEnded(key);
      assertMismatch();
      assertThat(claimAgain(key, TakeoverPolicy.IN_DOUBT)).isInstanceOf(ClaimResult.InDoubt.class);
    }

    @Test
    void afterATakeover() {
      holdUntilLeaseEnded(key);
      granted(claimAgain(key, TakeoverPolicy.RUN_AGAIN));
      assertMismatch();
    }
  }

  @Nested
  class WithoutAFingerprint {
    @Test
    void firstRequestMatchesEveryLaterOne() {
      Token token = Token.draw();
      granted(claim(request(key, token, Fingerprint.NONE, LONG_LEASE, TakeoverPolicy.IN_DOUBT)));
      assertThat(claimAgain(key, OTHER_REQUEST, TakeoverPolicy.IN_DOUBT))
          .isInstanceOf(ClaimResult.InFlight.class);
      complete(key, token);
      assertThat(claimAgain(key, OTHER_REQUEST, TakeoverPolicy.IN_DOUBT))
          .isInstanceOf(ClaimResult.Replay.class);
      assertThat(found(key).fingerprint()).isEqualTo(Fingerprint.NONE);
    }

    @Test
    void laterRequestMatchesWhateverCameFirst() {
      Token token = hold(key);
      assertThat(claimAgain(key, Fingerprint.NONE, TakeoverPolicy.IN_DOUBT))
          .isInstanceOf(ClaimResult.InFlight.class);
      complete(key, token);
      assertThat(claimAgain(key, Fingerprint.NONE, TakeoverPolicy.IN_DOUBT))
          .isInstanceOf(ClaimResult.Replay.class);
    }
  }

  @Nested
  class AfterARelease {
    @Test
    void anotherRequestMayClaimTheKey() {
      release(key, hold(key));
      granted(claimAgain(key, OTHER_REQUEST, TakeoverPolicy.IN_DOUBT));
    }

    @Test
    void keyBelongsToTheNextRequest() {
      release(key, hold(key));
      Token next = granted(claimAgain(key, OTHER_REQUEST, TakeoverPolicy.IN_DOUBT)).token();
      ClaimResult first = claimAgain(key, REQUEST, TakeoverPolicy.IN_DOUBT);
      assertThat(answer(ClaimResult.Mismatch.class, first).stored()).isEqualTo(OTHER_REQUEST);
      complete(key, next);
      assertThat(claimAgain(key, REQUEST, TakeoverPolicy.IN_DOUBT))
          .isInstanceOf(ClaimResult.Mismatch.class);
    }

    @Test
    void operatorsReleaseLetsAnotherRequestInToo() {
      complete(key, hold(key));
      store().catalog().forceRelease(key);
      granted(claimAgain(key, OTHER_REQUEST, TakeoverPolicy.IN_DOUBT));
    }
  }

  @Nested
  class EveryFormIsKeptExactly {
    @Test
    void inTheClearWithAnyCharacters() {
      assertKept(Fingerprint.clear("a=1 & b='2' \"c\" \\ {} ‰ é 日本 \n\t %_*?[]"));
    }

    @Test
    void atItsLargest() {
      assertKept(new Fingerprint("x".repeat(Fingerprint.MAX_BYTES)));
    }

    @Test
    void ofAnotherVersion() {
      assertKept(new Fingerprint("sha256:v2:00"));
    }

    @Test
    void aHashInCapitalsIsNotTheSameText() {
      String text = REQUEST.text();
      int hash = text.lastIndexOf(':') + 1;
      String capitals = text.substring(hash).toUpperCase(Locale.ROOT);
      assertKept(new Fingerprint(text.substring(0, hash) + capitals));
    }

    private void assertKept(Fingerprint fingerprint) {
      Token token = Token.draw();
      granted(claim(request(key, token, fingerprint, LONG_LEASE, TakeoverPolicy.IN_DOUBT)));
      assertThat(found(key).fingerprint()).isEqualTo(fingerprint);
      assertThat(claimAgain(key, fingerprint, TakeoverPolicy.IN_DOUBT))
          .isInstanceOf(ClaimResult.InFlight.class);
      assertThat(claimAgain(key, REQUEST, TakeoverPolicy.IN_DOUBT))
          .isInstanceOf(ClaimResult.Mismatch.class);
    }
  }
}
