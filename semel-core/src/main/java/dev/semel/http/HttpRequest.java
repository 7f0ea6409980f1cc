package dev.semel.http;

import dev.semel.Tenant;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;

/**
 * A request's head.
 *
 * @param tenant whose request it is; see {@link Tenants}
 * @param path as it was sent, without the query
 * @param query as it was sent, without the question mark; empty where there is none
 * @param headers all values of the header with this name, whatever its case; empty for none
 */
public record HttpRequest(
    Tenant tenant,
    String method,
    String path,
    String query,
    Function<String, List<String>> headers) {
  /** What must be equal beside the body for two requests to be the same. */
  String scope(List<String> chosenHeaders) {
    StringBuilder scope = new StringBuilder(method).append(' ').append(path).append('?');
    scope.append(query);
    for (String name : chosenHeaders) {
      scope.append('\n').append(name.toLowerCase(Locale.ROOT));
      headers.apply(name).forEach(value -> scope.append('\n').append(' ').append(value));
    }
    return scope.toString();
  }
}
