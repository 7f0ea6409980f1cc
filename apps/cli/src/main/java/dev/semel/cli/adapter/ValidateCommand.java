package dev.semel.cli.adapter;

import dev.semel.InvalidInput;
import dev.semel.internal.PrintableText;
import dev.semel.json.JsonValue.JsonObject;
import dev.semel.stream.ContentType;
import dev.semel.stream.client.IdempotentProducer;
import dev.semel.stream.client.ProducerSettings;

/** Checks which settings the client accepts. Sends nothing. */
final class ValidateCommand {
  private ValidateCommand() {}

  static JsonObject validate(AdapterSession session, CommandFields target) {
    String what = target.text("target");
    return switch (what) {
      case "idempotent-producer" -> producer(session, target);
      case "retry-options" ->
          AdapterFailures.notSupported(
              "validate", "this client does not count tries: it goes on for a time, its patience");
      default ->
          AdapterFailures.notSupported(
              "validate",
              "there is nothing called %s to validate".formatted(PrintableText.quoted(what)));
    };
  }

  private static JsonObject producer(AdapterSession session, CommandFields target) {
    if (target.number("maxBatchItems").isPresent()) {
      return AdapterFailures.notSupported(
          "validate", "this client has no maxBatchItems: a batch is limited by its bytes");
    }
    long bytes =
        target.number("maxBatchBytes").orElse((long) ProducerSettings.defaults().maxBatchBytes());
    if (bytes != (int) bytes) {
      throw new InvalidInput("maxBatchBytes must be below 2^31");
    }
    ProducerSettings settings =
        ProducerSettings.defaults()
            .withEpoch(target.number("epoch").orElse(0L)) // fixed: the server is not asked
            .withMaxBatchBytes((int) bytes);
    String id = target.find("producerId").orElse("validate");
    IdempotentProducer.open(
            session.callAt("/validate").stream().as(ContentType.BYTES), id, settings)
        .close();
    return AdapterCommands.success("validate").build();
  }
}
