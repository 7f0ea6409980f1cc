package dev.semel.http.spi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Tenant;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class HttpRequestTest {
  private static final List<String> CHOSEN = List.of("X-A", "X-B");

  private static HttpRequest request(
      String method, String path, String query, Map<String, List<String>> headers) {
    return new HttpRequest(
        Tenant.DEFAULT,
        method,
        path,
        query,
        name -> headers.getOrDefault(name.toLowerCase(Locale.ROOT), List.of()));
  }

  private static String scope(String path, String query) {
    return request("POST", path, query, Map.of()).scope(CHOSEN);
  }

  private static String scope(List<String> a, List<String> b) {
    return request("POST", "/", "", Map.of("x-a", a, "x-b", b)).scope(CHOSEN);
  }

  @Test
  void aQuestionMarkInThePathIsNotTheQuery() {
    assertThat(scope("/a?b", "c")).isNotEqualTo(scope("/a", "b?c"));
    assertThat(scope("/a?b", "")).isNotEqualTo(scope("/a", "b"));
  }

  @Test
  void aHeaderCannotBeWrittenIntoAnotherPart() {
    assertThat(scope("/", "q\nx-a\n v")).isNotEqualTo(scope(List.of("v"), List.of()));
    assertThat(scope(List.of("v\nx-b\n w"), List.of()))
        .isNotEqualTo(scope(List.of("v"), List.of("w")));
    assertThat(scope(List.of("v\n w"), List.of()))
        .isNotEqualTo(scope(List.of("v", "w"), List.of()));
    assertThat(scope(List.of("v", "x-b"), List.of()))
        .isNotEqualTo(scope(List.of("v"), List.of("x-b")));
    assertThat(scope(List.of("\"],[\"x-b"), List.of())).isNotEqualTo(scope(List.of(), List.of("")));
    assertThat(scope(List.of(""), List.of())).isNotEqualTo(scope(List.of(), List.of()));
  }

  @Test
  void theOrderAndTheCaseOfChosenNamesDoNotMatter() {
    HttpRequest request =
        request("POST", "/", "", Map.of("x-a", List.of("1"), "x-b", List.of("2")));
    assertThat(request.scope(List.of("x-b", "X-a", "X-A"))).isEqualTo(request.scope(CHOSEN));
  }

  @Test
  void headersThatAreNotChosenDoNotMatter() {
    assertThat(request("POST", "/", "", Map.of("x-c", List.of("1"))).scope(CHOSEN))
        .isEqualTo(request("POST", "/", "", Map.of()).scope(CHOSEN));
  }

  /** Parts drawn from what separates parts: no two different requests have one scope. */
  @Test
  void noTwoRequestsHaveOneScope() {
    Map<String, List<Object>> requests = new HashMap<>();
    for (long seed = 1; seed <= 50_000; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      String method = part(random);
      String path = part(random);
      String query = part(random);
      List<String> a = parts(random);
      List<String> b = parts(random);
      List<Object> parts = List.of(method, path, query, a, b);
      String scope = request(method, path, query, Map.of("x-a", a, "x-b", b)).scope(CHOSEN);
      List<Object> other = requests.putIfAbsent(scope, parts);
      assertThat(other == null ? parts : other).as("seed %d", seed).isEqualTo(parts);
    }
  }

  private static final List<String> PIECES =
      List.of(" ", "?", "\n", "\"", "[", "]", ",", "\\", "x-a", "x-b");

  private static String part(SplittableRandom random) {
    StringBuilder part = new StringBuilder();
    for (int i = random.nextInt(3); i > 0; i--) {
      part.append(PIECES.get(random.nextInt(PIECES.size())));
    }
    return part.toString();
  }

  private static List<String> parts(SplittableRandom random) {
    return Stream.generate(() -> part(random)).limit(random.nextInt(3)).toList();
  }
}
