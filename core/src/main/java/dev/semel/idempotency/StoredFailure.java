package dev.semel.idempotency;

import java.nio.charset.StandardCharsets;

/** A final failure, kept and replayed like a response. */
public record StoredFailure(String kind, String message) {
  public static final String TYPE = "semel/failure";
  public static final int MAX_KIND_LENGTH = 200;
  public static final int MAX_MESSAGE_LENGTH = 4000;

  /** The kind of a record whose work was done but whose response was over the limit. */
  public static final String RESPONSE_NOT_KEPT = "semel.ResponseNotKept";

  public StoredFailure {
    kind = cut(kind.replace('\n', ' '), MAX_KIND_LENGTH);
    message = cut(message, MAX_MESSAGE_LENGTH);
  }

  public static StoredFailure of(Throwable cause) {
    String message = cause.getMessage();
    return new StoredFailure(cause.getClass().getName(), message == null ? "" : message);
  }

  /** The work was done, but its response is over the limit and was not kept. */
  public static StoredFailure responseTooLarge(int bytes, int limit) {
    return new StoredFailure(
        RESPONSE_NOT_KEPT,
        "it was done once, but its response of %d bytes is over the limit of %d (maxResponseBytes) and was not kept"
            .formatted(bytes, limit));
  }

  /** The work was done, but its codec could not write the response. */
  public static StoredFailure responseNotEncoded(RuntimeException cause) {
    return new StoredFailure(
        RESPONSE_NOT_KEPT, "it was done once, but its response could not be encoded: " + cause);
  }

  /** The work was done and returned null, which its codec can't hold. */
  public static StoredFailure nullNotKept(String type) {
    return new StoredFailure(
        RESPONSE_NOT_KEPT,
        "the work returned null, which its codec%s can't hold, so there is no response to replay: return a value, or use Codec.nothing() for work without a result"
            .formatted(type.isEmpty() ? "" : " (" + type + ")"));
  }

  public Payload payload() {
    return new Payload(TYPE, (kind + "\n" + message).getBytes(StandardCharsets.UTF_8));
  }

  public static StoredFailure from(Payload payload) {
    String text = new String(payload.bytes(), StandardCharsets.UTF_8);
    int end = text.indexOf('\n');
    return end < 0
        ? new StoredFailure(payload.type(), text)
        : new StoredFailure(text.substring(0, end), text.substring(end + 1));
  }

  private static String cut(String text, int limit) {
    return text.length() <= limit ? text : text.substring(0, limit - 1) + "…";
  }
}
