package dev.semel.spring;

import dev.semel.idempotency.Codec;
import dev.semel.idempotency.Fingerprint;
import java.lang.reflect.Type;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How results of {@link Idempotent} methods are kept, and their arguments compared. Give a bean of
 * your own to do it otherwise than by JSON.
 */
public interface ResultCodecs {
  /** A result, which may be nothing. */
  record Result(@Nullable Object value) {}

  /**
   * For results of this type; asked once for each method, when its bean is made.
   *
   * @throws dev.semel.InvalidInput it can't be kept; the message says what to do
   */
  Codec<Result> codec(Type type);

  /** Of what was asked: equal values give equal fingerprints, in every process and for ever. */
  Fingerprint fingerprint(List<? extends @Nullable Object> values);
}
