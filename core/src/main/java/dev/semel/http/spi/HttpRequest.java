package dev.semel.http.spi;

import dev.semel.Tenant;
import dev.semel.json.Json;
import dev.semel.json.JsonValue;
import dev.semel.json.JsonValue.JsonArray;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * The head of a request.
 *
 * @param tenant whose request it is; see {@link CallerTenants}
 * @param path as it was sent, without the query
 * @param query as it was sent, without the question mark; empty where there is none
 * @param headers all values of the header with this name, in upper or lower case; empty for none
 */
public record HttpRequest(
    Tenant tenant,
    String method,
    String path,
    String query,
    Function<String, List<String>> headers) {
  /**
   * The parts besides the body that must be equal for two requests to be the same. A list of texts
   * instead of one text, so that no part can imitate the end of another.
   */
  public String scope(List<String> chosenHeaders) {
    List<JsonValue> chosen = new ArrayList<>();
    for (String name : new TreeSet<>(chosenHeaders.stream().map(HttpRequest::lowerCase).toList())) {
      chosen.add(texts(Stream.concat(Stream.of(name), headers.apply(name).stream())));
    }
    return Json.write(
        new JsonArray(List.of(texts(Stream.of(method, path, query)), new JsonArray(chosen))));
  }

  private static JsonValue texts(Stream<String> parts) {
    return new JsonArray(parts.map(JsonValue::of).toList());
  }

  private static String lowerCase(String name) {
    return name.toLowerCase(Locale.ROOT);
  }
}
