package dev.semel.tck;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Key;
import dev.semel.idempotency.ClaimResult;
import dev.semel.idempotency.Payload;
import dev.semel.idempotency.StoredFailure;
import dev.semel.idempotency.TakeoverPolicy;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Duplicates get the first response, byte for byte. */
abstract class ReplayContract extends ContractWords {
  private static final String TYPE = "application/json; charset=utf-8; v=2";

  private final Key key = freshKey();

  private void assertReplayedExactly(Payload response) {
    assertThat(complete(key, hold(key), response)).isTrue();
    Payload replayed = replay(claimAgain(key, TakeoverPolicy.IN_DOUBT)).response();
    assertThat(replayed.type()).isEqualTo(response.type());
    assertThat(Arrays.equals(replayed.bytes(), response.bytes())).as("the same bytes").isTrue();
    assertThat(found(key).payload()).isEqualTo(response);
  }

  @Test
  void everyByteValueIsKept() {
    byte[] all = new byte[256];
    for (int i = 0; i < all.length; i++) {
      all[i] = (byte) i;
    }
    assertReplayedExactly(new Payload(TYPE, all));
  }

  @Test
  void emptyResponseIsKept() {
    assertReplayedExactly(new Payload(TYPE, new byte[0]));
  }

  @Test
  void responseWithoutATypeIsKept() {
    assertReplayedExactly(new Payload("", new byte[] {1}));
  }

  @Test
  void emptyResponseWithoutATypeIsAResponseToo() {
    assertReplayedExactly(Payload.EMPTY);
  }

  @Test
  void longestTypeWithEverySignIsKept() {
    String signs = "a b'c\"d\\e{f}g:h/i%j_k*l?m[n]|;,~";
    String type = signs + "x".repeat(Payload.MAX_TYPE_LENGTH - signs.length());
    assertReplayedExactly(new Payload(type, new byte[] {0}));
  }

  @Test
  void responseOfOneMebibyteIsKept() {
    byte[] large = new byte[1 << 20];
    new Random(1).nextBytes(large);
    assertReplayedExactly(new Payload(TYPE, large));
  }

  @Test
  void responseIsReplayedAsOftenAsAsked() {
    complete(key, hold(key));
    for (int i = 0; i < 5; i++) {
      assertThat(replay(claimAgain(key, TakeoverPolicy.RUN_AGAIN)).response()).isEqualTo(RESPONSE);
    }
  }

  @Test
  void responseDoesNotChangeWithTheCallersBuffer() {
    byte[] buffer = {1, 2, 3};
    complete(key, hold(key), new Payload(TYPE, buffer));
    buffer[0] = 9;
    Payload replayed = replay(claimAgain(key, TakeoverPolicy.IN_DOUBT)).response();
    assertThat(replayed.bytes()).containsExactly(1, 2, 3);
    replayed.bytes()[0] = 9;
    assertThat(replay(claimAgain(key, TakeoverPolicy.IN_DOUBT)).response().bytes())
        .containsExactly(1, 2, 3);
  }

  private void assertFailedExactly(StoredFailure failure) {
    assertThat(fail(key, hold(key), failure)).isTrue();
    ClaimResult claim = claimAgain(key, TakeoverPolicy.IN_DOUBT);
    assertThat(answer(ClaimResult.Failed.class, claim).failure()).isEqualTo(failure);
  }

  @Test
  void failureIsKeptWithItsLinesAndCharacters() {
    assertFailedExactly(
        new StoredFailure("com.acme.Größe$Err", "first\nsecond\r\n\n日本 🎉 \"'\\{}%"));
  }

  @Test
  void failureWithoutAMessageIsKept() {
    assertFailedExactly(new StoredFailure("com.acme.Silent", ""));
  }

  @Test
  void longestFailureIsKept() {
    assertFailedExactly(
        new StoredFailure(
            "k".repeat(StoredFailure.MAX_KIND_LENGTH),
            "m".repeat(StoredFailure.MAX_MESSAGE_LENGTH)));
  }
}
