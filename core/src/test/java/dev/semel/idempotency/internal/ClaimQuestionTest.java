package dev.semel.idempotency.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Key;
import dev.semel.Token;
import dev.semel.idempotency.Codec;
import dev.semel.idempotency.ExecutionRequest;
import dev.semel.idempotency.Fingerprint;
import java.util.List;
import org.junit.jupiter.api.Test;

class ClaimQuestionTest {
  private static final Key KEY = Key.of("payment", "order-1");
  private static final Key OWN = Key.of("payment", "order-1-of-bob");
  private static final Fingerprint NEWEST = Fingerprint.of("newest");
  private static final Fingerprint OLDER = Fingerprint.of("older");
  private static final Fingerprint OTHER = Fingerprint.of("another request's");

  private final Token token = Token.draw();
  private final ExecutionRequest<String> request =
      ExecutionRequest.of(KEY, Codec.utf8()).withFingerprints(List.of(NEWEST, OLDER));

  @Test
  void theFirstIsForTheRequestsKeyAndNewestFingerprint() {
    ClaimQuestion question = ClaimQuestion.of(request, token);
    assertThat(question.claim().key()).isEqualTo(KEY);
    assertThat(question.claim().fingerprint()).isEqualTo(NEWEST);
    assertThat(question.claim().token()).isEqualTo(token);
  }

  @Test
  void aRecordInAnOlderFormIsAskedForOnce() {
    ClaimQuestion question = ClaimQuestion.of(request, token);
    ClaimQuestion older = question.inOlderForm(OLDER).orElseThrow();
    assertThat(older.claim().fingerprint()).isEqualTo(OLDER);
    assertThat(older.claim().token()).isEqualTo(token);
    assertThat(older.inOlderForm(OLDER)).isEmpty();
    assertThat(older.inOlderForm(NEWEST)).isEmpty();
  }

  @Test
  void anotherRequestsRecordAndItsOwnAreNoOlderForm() {
    ClaimQuestion question = ClaimQuestion.of(request, token);
    assertThat(question.inOlderForm(OTHER)).isEmpty();
    assertThat(question.inOlderForm(NEWEST)).isEmpty();
  }

  @Test
  void apartItBeginsWithTheNewestFingerprintAndNeverAgain() {
    ClaimQuestion question = ClaimQuestion.of(request.withOnCollision(OWN), token);
    ClaimQuestion apart = question.inOlderForm(OLDER).orElseThrow().apart().orElseThrow();
    assertThat(apart.key()).isEqualTo(OWN);
    assertThat(apart.fingerprint()).isEqualTo(NEWEST);
    assertThat(apart.apart()).isEmpty();
    assertThat(ClaimQuestion.of(request, token).apart()).isEmpty();
  }

  @Test
  void theOtherKeyIsAskedForWithTheSameToken() {
    Key second = Key.of("payment", "request-1");
    ClaimQuestion also =
        ClaimQuestion.of(request.withAlso(ExecutionRequest.of(second, Codec.utf8())), token)
            .also()
            .orElseThrow();
    assertThat(also.key()).isEqualTo(second);
    assertThat(also.token()).isEqualTo(token);
    assertThat(also.also()).isEmpty();
  }
}
