package dev.semel.tck;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Key;
import dev.semel.Token;
import dev.semel.idempotency.Takeover;
import org.junit.jupiter.api.Test;

/** Everything that {@link dev.semel.idempotency.KeyCatalog} promises. */
public abstract class KeyCatalogContract extends Contract {
  @Test
  void forceReleaseFencesTheHolderAndLetsTheNextClaimRun() {
    Key key = freshKey();
    Token held = hold(key);
    assertThat(store().catalog().forceRelease(key)).isTrue();
    assertThat(complete(key, held)).isFalse();
    assertThat(granted(claimAgain(key, Takeover.IN_DOUBT)).attempt()).isEqualTo(2);
  }

  @Test
  void deleteForgetsTheKeyAndItsAttempts() {
    Key key = freshKey();
    Token held = hold(key);
    assertThat(store().catalog().delete(key)).isTrue();
    assertThat(store().idempotency().find(key)).isEmpty();
    assertThat(release(key, held)).isFalse();
    assertThat(granted(claimAgain(key, Takeover.IN_DOUBT)).attempt()).isEqualTo(1);
  }
}
