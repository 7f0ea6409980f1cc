package dev.semel.jdbc.internal.outbox;

import dev.semel.InvalidInput;
import dev.semel.internal.PrintableText;
import dev.semel.jdbc.OutboxSettings;

/** Checks the size of payloads against the outbox's limit. */
public final class PayloadLimit {
  private PayloadLimit() {}

  public static void check(OutboxSettings settings, String id, byte[] payload) {
    if (payload.length > settings.maxPayloadBytes()) {
      throw new InvalidInput(
          "the payload of message %s is %d bytes long and the limit is %d (maxPayloadBytes): keep the content elsewhere and send where it is"
              .formatted(PrintableText.quoted(id), payload.length, settings.maxPayloadBytes()));
    }
  }
}
