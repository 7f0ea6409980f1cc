package dev.semel.idempotency;

import dev.semel.json.JsonValue;
import dev.semel.json.JsonValue.JsonArray;
import dev.semel.json.internal.CanonicalJson;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Says how requests of one operation are told apart; see {@link Fingerprinters} for the ways. The
 * same request gives the same fingerprints in every process and for ever.
 */
@FunctionalInterface
public interface Fingerprinter<R> {
  /**
   * The first is the current one, which is stored; the others are older ways of making it under
   * which the same request may still be recorded.
   *
   * @throws dev.semel.InvalidInput the request can't be read the way the fingerprint needs it
   */
  List<Fingerprint> of(R request);

  /** Still knows records that were made the older way: keep it until their retention ended. */
  default Fingerprinter<R> andBefore(Fingerprinter<? super R> older) {
    return request ->
        Stream.concat(of(request).stream(), older.of(request).stream()).distinct().toList();
  }

  /** For larger requests, of which this one looks at a part. */
  default <Q> Fingerprinter<Q> taking(Function<? super Q, ? extends R> part) {
    return request -> of(part.apply(request));
  }

  /** Equal only within the same scope, such as {@code POST /payments}. */
  default Fingerprinter<R> scoped(String scope) {
    return scoped(request -> scope);
  }

  /**
   * Equal only within the same scope. Without one, a key that is sent to another endpoint with the
   * same body gets the first endpoint's response.
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
