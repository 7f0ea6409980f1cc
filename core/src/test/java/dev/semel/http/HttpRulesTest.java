package dev.semel.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.InvalidInput;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HttpRulesTest {
  private static final HttpRules RULES = HttpRules.of("payments");

  @ParameterizedTest
  @CsvSource({
    "200,true,true", "204,true,true", "303,true,true", "400,true,false", "404,true,false",
    "422,true,false", "499,true,false", "408,false,false", "425,false,false", "429,false,false",
    "500,false,true", "502,false,true", "503,false,false", "599,false,true"
  })
  void statusesAreKeptAsTheRuleSays(int status, boolean byDefault, boolean otherWayRound) {
    assertThat(KeptStatuses.DEFAULT.keeps(status)).isEqualTo(byDefault);
    assertThat(new KeptStatuses(false, true, Set.of(503)).keeps(status)).isEqualTo(otherWayRound);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Set-Cookie",
        "set-cookie",
        "SET-COOKIE2",
        "Connection",
        "Transfer-Encoding",
        "Content-Length",
        "Date"
      })
  void cookiesAndHeadersOfOneConnectionAreNeverReplayed(String name) {
    assertThat(HttpRules.DEFAULT_REPLAYED_HEADERS).doesNotContain(name);
    assertThatThrownBy(() -> RULES.withReplayedHeaders(Set.of("ETag", name)))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining(name);
  }

  @Test
  void namesOfHeadersHaveNoCase() {
    assertThat(RULES.replayedHeaders().contains("LOCATION")).isTrue();
    assertThat(RULES.replayedHeaders().contains("etag")).isTrue();
    assertThat(RULES.withReplayedHeaders(Set.of("x-a")).replayedHeaders().contains("X-A")).isTrue();
  }

  @Test
  void streamsAreKnownByTheirType() {
    assertThat(HttpRules.streamed("text/event-stream")).isTrue();
    assertThat(HttpRules.streamed(" Text/Event-Stream ; charset=utf-8")).isTrue();
    assertThat(HttpRules.streamed("application/x-ndjson")).isTrue();
    assertThat(HttpRules.streamed("application/json; x=text/event-stream")).isFalse();
    assertThat(HttpRules.streamed("")).isFalse();
  }

  @Test
  void theLimitOfRequestsIsNotNegative() {
    assertThatThrownBy(() -> RULES.withMaxRequestBytes(-1)).isInstanceOf(InvalidInput.class);
  }
}
