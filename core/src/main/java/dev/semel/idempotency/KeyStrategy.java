package dev.semel.idempotency;

import java.util.function.Function;

/**
 * Gives the requests of one operation their ids; {@link KeyStrategies} has implementations. Except
 * for {@link KeyStrategies#uuid7()}, the same request gets the same id in every process and
 * forever.
 */
public interface KeyStrategy<R> {
  /**
   * The id under which this request must happen once; always valid in a {@link dev.semel.Key}.
   *
   * @throws dev.semel.InvalidInput the request lacks the data for the id
   */
  KeyChoice keying(R request);

  /**
   * Accepts an id that this strategy could have made, for ids that come from outside.
   *
   * @throws dev.semel.InvalidInput says what shape is expected
   */
  void validate(String id);

  /**
   * Whether a request gets the same id each time. Where it does not, the sender draws the id once
   * and sends it along; a second draw for the same request would recognise no duplicate.
   */
  default boolean repeatable() {
    return true;
  }

  /** Applies this to a part of a larger request. */
  default <Q> KeyStrategy<Q> taking(Function<? super Q, ? extends R> part) {
    KeyStrategy<R> inner = this;
    return new KeyStrategy<>() {
      @Override
      public KeyChoice keying(Q request) {
        return inner.keying(part.apply(request));
      }

      @Override
      public void validate(String id) {
        inner.validate(id);
      }

      @Override
      public boolean repeatable() {
        return inner.repeatable();
      }
    };
  }
}
