package dev.semel.server.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.InvalidInput;
import dev.semel.server.http.RouteTable.Match;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RouteTableTest {
  private static final RouteTable<String> TABLE =
      new RouteTable<String>()
          .add("GET, HEAD", "/", "page")
          .add("GET", "/keys", "list")
          .add("GET", "/keys/{key}", "one")
          .add("DELETE", "/keys/{key}", "forget")
          .add("GET", "/keys/newest", "newest")
          .add("GET", "/keys/{key}/events", "events")
          .add("POST", "/keys/{key}/{action}", "act")
          .add("GET", "/streams/{path...}", "stream");

  @ParameterizedTest
  @CsvSource({
    "GET, /, page, ''",
    "HEAD, /, page, ''",
    "GET, /keys, list, ''",
    "GET, /keys/a, one, a",
    "DELETE, /keys/a, forget, a",
    "GET, /keys/default%2Fp:1, one, default/p:1",
    "GET, /keys/newest, newest, ''",
    "GET, /keys/newest/events, events, newest",
    "GET, /keys/, one, ''",
    "POST, /keys/a/release, act, 'a,release'",
    "GET, /streams/a, stream, a",
    "GET, /streams/a/b%20c/, stream, a/b c/",
  })
  void addressLeadsThere(String method, String path, String route, String named) {
    assertThat(TABLE.find(method, path))
        .isInstanceOfSatisfying(
            Match.Found.class,
            found -> {
              assertThat(found.route()).isEqualTo(route);
              assertThat(String.join(",", names(found))).isEqualTo(named);
            });
  }

  private static List<String> names(Match.Found<?> found) {
    return found.named();
  }

  @ParameterizedTest
  @CsvSource({
    "POST, /, 'GET, HEAD'",
    "PUT, /keys/a, 'GET, DELETE'",
    "DELETE, /keys/newest, GET",
    "PUT, /keys/a/events, 'GET, POST'",
    "HEAD, /streams/a, GET"
  })
  void anotherMethodIsToldWhichThereAre(String method, String path, String allowed) {
    assertThat(TABLE.find(method, path)).isEqualTo(new Match.OtherMethod<String>(allowed));
  }

  @ParameterizedTest
  @CsvSource({"''", "*", "/key", "/keys/a/b/c", "/streams", "keys", "/KEYS", "//keys"})
  void nothingIsElsewhere(String path) {
    assertThat(TABLE.find("GET", path)).isEqualTo(new Match.Nothing<String>());
  }

  @Test
  void nameThatCannotBeDecodedIsRefused() {
    assertThatThrownBy(() -> TABLE.find("GET", "/keys/%ff")).isInstanceOf(InvalidInput.class);
    assertThatThrownBy(() -> TABLE.find("GET", "/keys/%2")).isInstanceOf(InvalidInput.class);
  }
}
