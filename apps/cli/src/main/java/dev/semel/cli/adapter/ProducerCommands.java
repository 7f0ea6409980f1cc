package dev.semel.cli.adapter;

import dev.semel.InvalidInput;
import dev.semel.json.JsonObjectBuilder;
import dev.semel.stream.client.IdempotentProducer;
import dev.semel.stream.client.ProducerAck;
import dev.semel.stream.client.ProducerSettings;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Commands on producers. */
final class ProducerCommands {
  /** Long enough for a command's messages to be in one batch. */
  private static final Duration LINGER = Duration.ofSeconds(1);

  private ProducerCommands() {}

  static JsonObjectBuilder append(AdapterSession session, CommandFields command) {
    IdempotentProducer producer = open(session, command);
    CompletableFuture<ProducerAck> last = producer.appendAsync(bytes(command.text("data")));
    producer.flush();
    ProducerAck ack = last.join();
    JsonObjectBuilder answer = AdapterCommands.success("idempotent-append").with("status", 200);
    ack.next().ifPresent(offset -> answer.with("offset", offset));
    return answer.with("producerSeq", ack.seq());
  }

  /** Uses a producer that lives no longer than the command, as the protocol requires. */
  static JsonObjectBuilder appendBatch(AdapterSession session, CommandFields command) {
    List<String> items = command.texts("items");
    if (items.isEmpty()) {
      throw new InvalidInput("there are no items to append");
    }
    int inFlight = command.count("maxInFlight", 1);
    // A suite that asks for several requests at a time wants to see them: one batch for each
    // message.
    ProducerSettings settings =
        settings(command)
            .withMaxInFlight(Math.min(inFlight, ProducerSettings.MOST_IN_FLIGHT))
            .withLinger(inFlight > 1 ? Duration.ZERO : LINGER)
            .withMaxBatchBytes(inFlight > 1 ? 1 : ProducerSettings.defaults().maxBatchBytes());
    try (IdempotentProducer producer =
        IdempotentProducer.open(
            session.call(command).stream(), command.text("producerId"), settings)) {
      CompletableFuture<ProducerAck> last = new CompletableFuture<>();
      for (String item : items) {
        last = producer.appendAsync(bytes(item));
      }
      producer.flush();
      return AdapterCommands.success("idempotent-append-batch")
          .with("status", 200)
          .with("producerSeq", last.join().seq());
    }
  }

  static JsonObjectBuilder close(AdapterSession session, CommandFields command) {
    Optional<byte[]> last =
        command.find("data").filter(data -> !data.isEmpty()).map(ProducerCommands::bytes);
    Optional<String> tail = open(session, command).closeStream(last.orElse(null));
    JsonObjectBuilder answer = AdapterCommands.success("idempotent-close").with("status", 200);
    tail.ifPresent(offset -> answer.with("finalOffset", offset));
    return answer;
  }

  /** A missing producer has nothing to deliver. */
  static JsonObjectBuilder detach(AdapterSession session, CommandFields command) {
    session.producers().take(name(command)).ifPresent(IdempotentProducer::close);
    return AdapterCommands.success("idempotent-detach").with("status", 200);
  }

  private static IdempotentProducer open(AdapterSession session, CommandFields command) {
    AdapterProducers.Name name = name(command);
    return session
        .producers()
        .get(
            name,
            () ->
                IdempotentProducer.open(
                    session.call(command).stream(), name.id(), settings(command)));
  }

  private static AdapterProducers.Name name(CommandFields command) {
    return new AdapterProducers.Name(
        command.text("path"), command.text("producerId"), epoch(command));
  }

  private static long epoch(CommandFields command) {
    return command.number("epoch").orElse(0L);
  }

  private static ProducerSettings settings(CommandFields command) {
    return ProducerSettings.defaults()
        .withEpoch(epoch(command))
        .withClaimsAfterFencing(command.isTrue("autoClaim"))
        .withMaxInFlight(1)
        .withLinger(Duration.ZERO)
        .withTimeouts(AppendCommand.REQUEST, AppendCommand.PATIENCE);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
