package dev.semel.idempotency;

import java.util.function.Function;

/**
 * Gives requests of one operation their ids; see {@link KeyStrategies} for the ways. But for {@link
 * KeyStrategies#uuid7()}, the same request gets the same id in every process and for ever.
 */
public interface KeyStrategy<R> {
  /**
   * The id under which this request must happen once; always one that a {@link dev.semel.Key}
   * takes.
   *
   * @throws dev.semel.InvalidInput the request lacks what the id is made of
   */
  KeyChoice keying(R request);

  /**
   * Accepts an id that this strategy could have made, for ids that come from outside.
   *
   * @throws dev.semel.InvalidInput says what shape is expected
   */
  void validate(String id);

  /**
   * Whether a request gets the same id each time. Where it does not, the id has to be drawn once
   * and sent along; asked again for the same request, the strategy would recognise nothing.
   */
  default boolean repeatable() {
    return true;
  }

  /** For larger requests, of which this one looks at a part. */
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
