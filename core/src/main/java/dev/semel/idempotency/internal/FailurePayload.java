package dev.semel.idempotency.internal;

import dev.semel.idempotency.Payload;
import dev.semel.idempotency.StoredFailure;
import java.nio.charset.StandardCharsets;

/** The form in which stores keep a {@link StoredFailure}: its kind, a line break, its message. */
public final class FailurePayload {
  private FailurePayload() {}

  public static Payload of(StoredFailure failure) {
    String text = failure.kind() + "\n" + failure.message();
    return new Payload(StoredFailure.TYPE, text.getBytes(StandardCharsets.UTF_8));
  }

  public static StoredFailure read(Payload payload) {
    String text = new String(payload.bytes(), StandardCharsets.UTF_8);
    int end = text.indexOf('\n');
    return end < 0
        ? new StoredFailure(payload.type(), text)
        : new StoredFailure(text.substring(0, end), text.substring(end + 1));
  }
}
