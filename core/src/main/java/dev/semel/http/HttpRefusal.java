package dev.semel.http;

import java.util.Locale;

/** The reason why a request got neither an execution nor a replay. */
public enum HttpRefusal {
  KEY_MISSING("idempotency-key-missing"),
  KEY_INVALID("idempotency-key-invalid"),
  BODY_UNREADABLE("request-body-unreadable"),
  REQUEST_TOO_LARGE("request-too-large"),
  IN_FLIGHT("request-in-flight"),
  MISMATCH("idempotency-key-reused"),
  IN_DOUBT("outcome-in-doubt"),
  FAILED("request-failed"),
  NOT_REPLAYABLE("response-not-kept"),
  STORE_AWAY("store-unavailable");

  static final String TYPE = "urn:semel:problem:";

  private final String problem;

  HttpRefusal(String problem) {
    this.problem = problem;
  }

  /** The kind of the refusal for programs: the problem document's {@code type}. */
  public String type() {
    return TYPE + problem;
  }

  /** The kind of the refusal for people. */
  public String title() {
    String words = problem.replace('-', ' ');
    return words.substring(0, 1).toUpperCase(Locale.ROOT) + words.substring(1);
  }

  /** Whether the same request may succeed a moment later. */
  public boolean retryable() {
    return this == IN_FLIGHT || this == STORE_AWAY;
  }
}
