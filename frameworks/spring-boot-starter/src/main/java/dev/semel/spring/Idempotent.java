package dev.semel.spring;

import dev.semel.idempotency.TakeoverPolicy;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The method takes effect once per key, however often it is called; later callers get the first
 * one's result. What is not executed and has no result to give is thrown as {@link
 * IdempotentRefused}.
 *
 * <p>It works on calls from other beans, as with every proxy of Spring: a method that a bean calls
 * on itself is called directly. Expressions are read once, when the bean is made, and a wrong one
 * fails then.
 *
 * <p>Of a method that returns a {@code CompletionStage} or a {@code Mono} the result is what comes
 * of that: under a lease, which is held until then. Other types whose result comes later are
 * refused when the bean is made.
 */
@Documented
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
public @interface Idempotent {
  /**
   * What must happen once: an expression over the arguments, such as {@code #request.orderId}. Its
   * text is the key's id.
   */
  String key();

  /**
   * The operation's name; by default the class's and the method's: {@code Payments.charge}. Methods
   * with the same one share their keys, which two must not do by default.
   */
  String operation() default "";

  /** The tenant: an expression; by default the property {@code semel.tenant}. */
  String tenant() default "";

  /**
   * What the request was, to refuse the same key with another one: an expression; by default all
   * arguments. One that gives an empty text, {@code ''}, compares nothing.
   */
  String fingerprint() default "";

  /** Where the record is kept, and so what a crash leaves behind. */
  Mode mode() default Mode.AUTO;

  /** How long the record is kept, such as {@code 7d}; by default {@code semel.policy.retention}. */
  String retention() default "";

  /** How long a claim holds without renewal; by default {@code semel.policy.lease}. */
  String lease() default "";

  /** How long a duplicate waits for the first one; by default {@code semel.policy.wait-up-to}. */
  String waitUpTo() default "";

  /** What happens when a holder died; by default {@code semel.policy.takeover}. At most one. */
  TakeoverPolicy[] takeover() default {};

  /** Exceptions that are final: they are kept, and thrown again to later callers as a refusal. */
  Class<? extends Exception>[] finalFailures() default {};

  /** In which way it is made to happen once. */
  enum Mode {
    /** {@link #SAME_TRANSACTION} where that is possible, else {@link #LEASE}. */
    AUTO,
    /**
     * What the method writes and the record of it commit together, in one transaction of Spring:
     * nothing is ever in doubt. Only for what is written to the database: a call to elsewhere is
     * not undone by a rollback, and runs again after one.
     */
    SAME_TRANSACTION,
    /**
     * The key is claimed before and the record written after. For effects outside the database: a
     * crash between leaves it in doubt, and it is never repeated without a word.
     */
    LEASE
  }
}
