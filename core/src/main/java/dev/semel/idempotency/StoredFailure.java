package dev.semel.idempotency;

/** A final failure, kept and replayed like a response. */
public record StoredFailure(String kind, String message) {
  public static final String TYPE = "semel/failure";
  public static final int MAX_KIND_LENGTH = 200;
  public static final int MAX_MESSAGE_LENGTH = 4000;

  /** The kind of a record whose work was done but whose response exceeded the limit. */
  public static final String RESPONSE_NOT_KEPT = "semel.ResponseNotKept";

  public StoredFailure {
    kind = cut(kind.replace('\n', ' '), MAX_KIND_LENGTH);
    message = cut(message, MAX_MESSAGE_LENGTH);
  }

  public static StoredFailure of(Throwable cause) {
    String message = cause.getMessage();
    return new StoredFailure(cause.getClass().getName(), message == null ? "" : message);
  }

  private static String cut(String text, int limit) {
    return text.length() <= limit ? text : text.substring(0, limit - 1) + "…";
  }
}
