package dev.semel.http.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.http.HttpRefusal;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AnswerVerdictTest {
  /** Status; then what it means the first time, as a replay, and with {@code Retry-After}. */
  @ParameterizedTest
  @CsvSource({
    "200,EXECUTED,REPLAYED,EXECUTED",
    "201,EXECUTED,REPLAYED,EXECUTED",
    "202,EXECUTED,REPLAYED,EXECUTED",
    "303,EXECUTED,REPLAYED,EXECUTED",
    "307,REFUSED,REFUSED,REFUSED",
    "308,REFUSED,REFUSED,REFUSED",
    "400,REFUSED,REFUSED,REFUSED",
    "401,REFUSED,REFUSED,REFUSED",
    "402,REFUSED,REFUSED,REFUSED",
    "404,REFUSED,REFUSED,REFUSED",
    "408,AGAIN,REFUSED,AGAIN",
    "409,REFUSED,REFUSED,AGAIN",
    "413,REFUSED,REFUSED,REFUSED",
    "422,REFUSED,REFUSED,REFUSED",
    "425,AGAIN,REFUSED,AGAIN",
    "429,AGAIN,REFUSED,AGAIN",
    "500,AGAIN,REFUSED,AGAIN",
    "502,AGAIN,REFUSED,AGAIN",
    "503,AGAIN,REFUSED,AGAIN",
    "504,AGAIN,REFUSED,AGAIN"
  })
  void statusesWithoutAWordFromSemel(
      int status, AnswerVerdict first, AnswerVerdict replayed, AnswerVerdict retryAfter) {
    assertThat(AnswerVerdict.of(status, false, Optional.empty(), false)).isEqualTo(first);
    assertThat(AnswerVerdict.of(status, true, Optional.empty(), false)).isEqualTo(replayed);
    assertThat(AnswerVerdict.of(status, false, Optional.empty(), true)).isEqualTo(retryAfter);
  }

  private static final String PROBLEMS =
      """
      KEY_MISSING,       REFUSED
      KEY_INVALID,       REFUSED
      BODY_UNREADABLE,   REFUSED
      REQUEST_TOO_LARGE, REFUSED
      IN_FLIGHT,         AGAIN
      MISMATCH,          REFUSED
      IN_DOUBT,          IN_DOUBT
      FAILED,            REFUSED
      NOT_REPLAYABLE,    REFUSED
      STORE_AWAY,        AGAIN
      """;

  /** Whatever its status is: profile adr says 202 for what is in flight. */
  @ParameterizedTest
  @CsvSource(textBlock = PROBLEMS)
  void whatSemelSaysGoesBeforeTheStatus(HttpRefusal refusal, AnswerVerdict verdict) {
    for (int status : new int[] {202, 400, 409, 422, 500, 503, 504}) {
      assertThat(AnswerVerdict.of(status, false, Optional.of(refusal), true)).isEqualTo(verdict);
      assertThat(AnswerVerdict.of(status, false, Optional.of(refusal), false)).isEqualTo(verdict);
    }
  }

  @Test
  void theTableIsWhole() {
    Set<String> rows =
        PROBLEMS
            .lines()
            .map(line -> line.substring(0, line.indexOf(',')))
            .collect(Collectors.toSet());
    assertThat(Stream.of(HttpRefusal.values()).map(Enum::name))
        .containsExactlyInAnyOrderElementsOf(rows);
  }
}
