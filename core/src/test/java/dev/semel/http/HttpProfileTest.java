package dev.semel.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.InvalidInput;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class HttpProfileTest {
  private static final String TABLE =
      """
      KEY_MISSING,       400, 400, 400, idempotency-key-missing
      KEY_INVALID,       400, 400, 400, idempotency-key-invalid
      BODY_UNREADABLE,   400, 400, 400, request-body-unreadable
      REQUEST_TOO_LARGE, 413, 413, 413, request-too-large
      IN_FLIGHT,         409, 409, 202, request-in-flight
      MISMATCH,          422, 400, 409, idempotency-key-reused
      IN_DOUBT,          409, 409, 409, outcome-in-doubt
      FAILED,            500, 500, 422, request-failed
      NOT_REPLAYABLE,    409, 409, 409, response-not-kept
      STORE_AWAY,        503, 503, 503, store-unavailable
      """;

  @ParameterizedTest
  @CsvSource(textBlock = TABLE)
  void everyRefusalHasItsStatusAndType(
      HttpRefusal refusal, int ietf, int stripe, int adr, String problem) {
    assertThat(HttpProfile.IETF.status(refusal)).isEqualTo(ietf);
    assertThat(HttpProfile.STRIPE.status(refusal)).isEqualTo(stripe);
    assertThat(HttpProfile.ADR.status(refusal)).isEqualTo(adr);
    assertThat(refusal.type()).isEqualTo("urn:semel:problem:" + problem);
  }

  @Test
  void theTableIsWhole() {
    Set<String> rows =
        TABLE.lines().map(line -> line.substring(0, line.indexOf(','))).collect(Collectors.toSet());
    assertThat(Stream.of(HttpRefusal.values()).map(Enum::name))
        .containsExactlyInAnyOrderElementsOf(rows);
  }

  @ParameterizedTest
  @EnumSource(HttpRefusal.class)
  void refusalsHaveATitleForPeople(HttpRefusal refusal) {
    assertThat(refusal.title()).matches("[A-Z][a-z ]+");
  }

  @Test
  void onlyWhatPassesByItselfIsWorthARetry() {
    assertThat(Stream.of(HttpRefusal.values()).filter(HttpRefusal::retryable))
        .containsExactly(HttpRefusal.IN_FLIGHT, HttpRefusal.STORE_AWAY);
  }

  @Test
  void profilesAreChosenByName() {
    assertThat(HttpProfile.parse("ietf")).isEqualTo(HttpProfile.IETF);
    assertThat(HttpProfile.parse("stripe")).isEqualTo(HttpProfile.STRIPE);
    assertThat(HttpProfile.parse("adr")).isEqualTo(HttpProfile.ADR);
    assertThatThrownBy(() -> HttpProfile.parse("rfc"))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("ietf, stripe, adr");
  }

  @Test
  void replaysAreMarkedWithTheHeaderThatEachClientKnows() {
    HttpHeader ours = new HttpHeader("Idempotency-Replayed", "true");
    assertThat(HttpProfile.IETF.replayed()).containsExactly(ours);
    assertThat(HttpProfile.ADR.replayed()).containsExactly(ours);
    assertThat(HttpProfile.STRIPE.replayed())
        .containsExactly(ours, new HttpHeader("Idempotent-Replayed", "true"));
  }
}
