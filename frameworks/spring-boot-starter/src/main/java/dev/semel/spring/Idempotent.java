package dev.semel.spring;

import dev.semel.idempotency.TakeoverPolicy;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Makes a bean's method take effect once per key, however often it is called: later callers get the
 * first call's result. Where no result can be returned, the call throws {@link IdempotentRefused}.
 *
 * <p>As with every Spring proxy, only calls from other beans are guarded; a bean's call to its own
 * method is not. Expressions are parsed when the bean is created, and a wrong one fails then.
 *
 * <p>For a method that returns a {@code CompletionStage} or a {@code Mono}, the result is its
 * eventual value, and a lease is held until then. Bean creation fails for other asynchronous return
 * types.
 */
@Documented
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
public @interface Idempotent {
  /**
   * The idempotency key's id: a SpEL expression over the arguments, such as {@code
   * #request.orderId}.
   */
  String key();

  /**
   * The operation's name; by default the class's and the method's name: {@code Payments.charge}.
   * Methods with the same operation share their keys; two methods with the same default name are
   * refused.
   */
  String operation() default "";

  /** The tenant: a SpEL expression; by default the property {@code semel.tenant}. */
  String tenant() default "";

  /**
   * The request's content, so that the same key with another request is refused: a SpEL expression;
   * by default all arguments. An empty text, {@code ''}, turns the comparison off.
   */
  String fingerprint() default "";

  /** Where the record is kept, which decides what a crash leaves behind. */
  Mode mode() default Mode.AUTO;

  /** How long the record is kept, such as {@code 7d}; by default {@code semel.policy.retention}. */
  String retention() default "";

  /** How long a claim holds without renewal; by default {@code semel.policy.lease}. */
  String lease() default "";

  /** How long a duplicate waits for the first one; by default {@code semel.policy.wait-up-to}. */
  String waitUpTo() default "";

  /**
   * What happens to a key whose lease ended without a result; by default {@code
   * semel.policy.takeover}. At most one value.
   */
  TakeoverPolicy[] takeover() default {};

  /** Exceptions that are stored: later callers get the failure again, as a refusal. */
  Class<? extends Exception>[] finalFailures() default {};

  /** How the record relates to the method's effect. */
  enum Mode {
    /** {@link #SAME_TRANSACTION} where that is possible, else {@link #LEASE}. */
    AUTO,
    /**
     * The method's writes and the record commit together in one Spring transaction, so nothing is
     * ever in doubt. Only for effects in the database: a rollback does not undo a call to another
     * system, and a retry repeats it.
     */
    SAME_TRANSACTION,
    /**
     * The key is claimed before the method runs, and the result is stored after it. For effects
     * outside the database. A crash between the two leaves the key in doubt; it is reported, and by
     * default not repeated.
     */
    LEASE
  }
}
