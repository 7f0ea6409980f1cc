package dev.semel.tck;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Key;
import dev.semel.Token;
import dev.semel.idempotency.Claim;
import dev.semel.idempotency.Fingerprint;
import dev.semel.idempotency.Takeover;
import java.util.Locale;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** A key belongs to the request that first used it. */
abstract class FingerprintContract extends Contract {
  private final Key key = freshKey();

  private void assertMismatch() {
    for (Takeover takeover : Takeover.values()) {
      Claim claim = claimAgain(key, OTHER_REQUEST, takeover);
      assertThat(answer(Claim.Mismatch.class, claim).stored()).isEqualTo(REQUEST);
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
      assertThat(claimAgain(key, Takeover.IN_DOUBT)).isInstanceOf(Claim.InDoubt.class);
    }

    @Test
    void afterATakeover() {
      holdUntilLeaseEnded(key);
      granted(claimAgain(key, Takeover.RUN_AGAIN));
      assertMismatch();
    }
  }

  @Nested
  class WithoutAFingerprint {
    @Test
    void firstRequestMatchesEveryLaterOne() {
      Token token = Token.draw();
      granted(claim(request(key, token, Fingerprint.NONE, LONG_LEASE, Takeover.IN_DOUBT)));
      assertThat(claimAgain(key, OTHER_REQUEST, Takeover.IN_DOUBT))
          .isInstanceOf(Claim.InFlight.class);
      complete(key, token);
      assertThat(claimAgain(key, OTHER_REQUEST, Takeover.IN_DOUBT))
          .isInstanceOf(Claim.Replay.class);
      assertThat(found(key).fingerprint()).isEqualTo(Fingerprint.NONE);
    }

    @Test
    void laterRequestMatchesWhateverCameFirst() {
      Token token = hold(key);
      assertThat(claimAgain(key, Fingerprint.NONE, Takeover.IN_DOUBT))
          .isInstanceOf(Claim.InFlight.class);
      complete(key, token);
      assertThat(claimAgain(key, Fingerprint.NONE, Takeover.IN_DOUBT))
          .isInstanceOf(Claim.Replay.class);
    }
  }

  @Nested
  class AfterARelease {
    @Test
    void anotherRequestMayClaimTheKey() {
      release(key, hold(key));
      granted(claimAgain(key, OTHER_REQUEST, Takeover.IN_DOUBT));
    }

    @Test
    void keyBelongsToTheNextRequest() {
      release(key, hold(key));
      Token next = granted(claimAgain(key, OTHER_REQUEST, Takeover.IN_DOUBT)).token();
      Claim first = claimAgain(key, REQUEST, Takeover.IN_DOUBT);
      assertThat(answer(Claim.Mismatch.class, first).stored()).isEqualTo(OTHER_REQUEST);
      complete(key, next);
      assertThat(claimAgain(key, REQUEST, Takeover.IN_DOUBT)).isInstanceOf(Claim.Mismatch.class);
    }

    @Test
    void operatorsReleaseLetsAnotherRequestInToo() {
      complete(key, hold(key));
      store().catalog().forceRelease(key);
      granted(claimAgain(key, OTHER_REQUEST, Takeover.IN_DOUBT));
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
      granted(claim(request(key, token, fingerprint, LONG_LEASE, Takeover.IN_DOUBT)));
      assertThat(found(key).fingerprint()).isEqualTo(fingerprint);
      assertThat(claimAgain(key, fingerprint, Takeover.IN_DOUBT))
          .isInstanceOf(Claim.InFlight.class);
      assertThat(claimAgain(key, REQUEST, Takeover.IN_DOUBT)).isInstanceOf(Claim.Mismatch.class);
    }
  }
}
