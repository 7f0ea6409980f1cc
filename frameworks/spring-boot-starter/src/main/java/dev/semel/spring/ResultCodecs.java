package dev.semel.spring;

import dev.semel.idempotency.Codec;
import dev.semel.idempotency.Fingerprint;
import java.lang.reflect.Type;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Encodes results of {@link Idempotent} methods and fingerprints their arguments. The default is
 * JSON; define a bean of this type to change that.
 */
public interface ResultCodecs {
  /** A method's result, which may be null. */
  record Result(@Nullable Object value) {}

  /**
   * The codec for results of this type. Called once per method, when its bean is created.
   *
   * @throws dev.semel.InvalidInput results of this type can't be stored; the message says what to
   *     do
   */
  Codec<Result> codec(Type type);

  /**
   * The fingerprint of a request's values: equal values give equal fingerprints, in every process
   * and for ever.
   */
  Fingerprint fingerprint(List<? extends @Nullable Object> values);
}
