package dev.semel.http;

/** One header line. */
public record HttpHeader(String name, String value) {
  public static final String KEY = "Idempotency-Key";

  /** On an answer that is the first one's, repeated. */
  public static final String REPLAYED = "Idempotency-Replayed";

  /** The same, by the name that clients of Stripe know. */
  static final String STRIPE_REPLAYED = "Idempotent-Replayed";

  /** For how many seconds from now the same key gets the same answer. */
  public static final String RETENTION = "Idempotency-Retention";

  /** {@code false} on an answer whose effect happened but could not be recorded. */
  public static final String RECORDED = "Idempotency-Recorded";

  static final String RETRY_AFTER = "Retry-After";
  public static final String CONTENT_TYPE = "Content-Type";
  public static final String CACHE_CONTROL = "Cache-Control";
}
