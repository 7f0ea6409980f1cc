package dev.semel.cli.adapter;

import dev.semel.InvalidInput;
import dev.semel.json.JsonObjectBuilder;
import dev.semel.stream.client.DurableStream;
import dev.semel.stream.client.IdempotentProducer;
import dev.semel.stream.client.ProducerAck;
import dev.semel.stream.client.ProducerSettings;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;

/**
 * Appends one message. Suites want appends that survive a failing server, but repeating a plain one
 * could store it twice: so each is the only batch of a new producer. One with a stream sequence is
 * sent once, by the handle.
 */
final class AppendCommand {
  /** How long an append is retried; shorter than suites wait for an answer. */
  static final Duration PATIENCE = Duration.ofSeconds(15);

  /** Limit of one request. */
  static final Duration REQUEST = Duration.ofSeconds(10);

  private AppendCommand() {}

  static JsonObjectBuilder append(AdapterSession session, CommandFields command) {
    if (command.find("producerId").isPresent()) {
      throw new InvalidInput("a producer appends with idempotent-append: it counts by itself");
    }
    byte[] message = message(command);
    AdapterCall call = session.call(command);
    Optional<String> sequence = command.number("seq").map(seq -> Long.toString(seq));
    Optional<String> tail =
        sequence.isPresent()
            ? Optional.of(call.stream().append(message, sequence.get()))
            : once(call.stream(), message);
    JsonObjectBuilder answer = AdapterCommands.success("append").with("status", 200);
    tail.ifPresent(offset -> answer.with("offset", offset));
    return call.withSent(answer);
  }

  private static byte[] message(CommandFields command) {
    String data = command.text("data");
    if (!command.isTrue("binary")) {
      return data.getBytes(StandardCharsets.UTF_8);
    }
    try {
      return Base64.getDecoder().decode(data);
    } catch (IllegalArgumentException e) {
      throw new InvalidInput("the data of a binary append must be base64");
    }
  }

  private static Optional<String> once(DurableStream stream, byte[] message) {
    ProducerSettings settings =
        ProducerSettings.defaults()
            .withEpoch(0) // no other producer has the id
            .withLinger(Duration.ZERO)
            .withTimeouts(REQUEST, PATIENCE);
    try (IdempotentProducer producer =
        IdempotentProducer.open(stream, "append-" + UUID.randomUUID(), settings)) {
      CompletableFuture<ProducerAck> ack = producer.appendAsync(message);
      producer.flush();
      return ack.join().next();
    }
  }
}
