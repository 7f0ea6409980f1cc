package dev.semel.http;

/** One header line, and the names of the headers that matter here. */
public record HttpHeader(String name, String value) {
  public static final String KEY = "Idempotency-Key";

  /** Marks an answer that is a replay. */
  public static final String REPLAYED = "Idempotency-Replayed";

  /** Marks a replay under the name that clients of Stripe know. */
  static final String STRIPE_REPLAYED = "Idempotent-Replayed";

  /** For how many seconds from now a duplicate gets the same answer. */
  public static final String RETENTION = "Idempotency-Retention";

  /** {@code false} on an answer whose effect happened but could not be recorded. */
  public static final String RECORDED = "Idempotency-Recorded";

  static final String RETRY_AFTER = "Retry-After";
  public static final String CONTENT_TYPE = "Content-Type";
  public static final String CACHE_CONTROL = "Cache-Control";
}
