package dev.semel.idempotency;

import dev.semel.json.JsonValue;
import dev.semel.json.JsonValue.JsonArray;
import dev.semel.json.internal.CanonicalJson;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Makes the fingerprints that distinguish the requests of one operation; {@link Fingerprinters} has
 * implementations. The same request must give the same fingerprints in every process and forever.
 */
@FunctionalInterface
public interface Fingerprinter<R> {
  /**
   * The fingerprints of a request. The first is the current one, which is stored; the others are
   * older forms under which the same request may still be recorded.
   *
   * @throws dev.semel.InvalidInput the request can't be read as the fingerprint needs it
   */
  List<Fingerprint> of(R request);

  /** Also recognises records made with the older form; keep it until their retention ended. */
  default Fingerprinter<R> andBefore(Fingerprinter<? super R> older) {
    return request ->
        Stream.concat(of(request).stream(), older.of(request).stream()).distinct().toList();
  }

  /** Applies this to a part of a larger request. */
  default <Q> Fingerprinter<Q> taking(Function<? super Q, ? extends R> part) {
    return request -> of(part.apply(request));
  }

  /** Requests are equal only within the same scope, such as {@code POST /payments}. */
  default Fingerprinter<R> scoped(String scope) {
    return scoped(request -> scope);
  }

  /**
   * Requests are equal only within the same scope. Without a scope, a key that is sent to another
   * endpoint with the same body gets the first endpoint's response.
   */
  default Fingerprinter<R> scoped(Function<? super R, String> scope) {
    return request -> {
      JsonValue where = JsonValue.of(scope.apply(request));
      return of(request).stream()
          .map(
              inner -> {
                String reading =
                    CanonicalJson.text(new JsonArray(List.of(where, JsonValue.of(inner.text()))));
                return inner.opaque()
                    ? Fingerprint.hashed("scope", reading)
                    : Fingerprint.clearIfItFits("scope", reading);
              })
          .toList();
    };
  }
}
