package dev.semel.cli.adapter;

import dev.semel.InvalidInput;
import dev.semel.StoreException;
import dev.semel.internal.PrintableText;
import dev.semel.json.Json;
import dev.semel.json.JsonObjectBuilder;
import dev.semel.json.JsonValue.JsonObject;
import dev.semel.stream.ContentType;
import dev.semel.stream.client.DurableStream;
import dev.semel.stream.client.IdempotentProducer;
import dev.semel.stream.client.ProducerSettings;
import dev.semel.stream.client.ReadOptions;
import dev.semel.stream.client.ReadOptions.Live;
import dev.semel.stream.client.StreamChunk;
import dev.semel.stream.client.StreamReader;
import dev.semel.stream.client.StreamRefused;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Measures an operation. */
final class BenchmarkCommand {
  /** Largest message. */
  static final int MAX_SIZE = 16 << 20;

  private static final Duration LONGEST_ROUND_TRIP = Duration.ofSeconds(20);

  /**
   * The amount of data.
   *
   * @param messages 0: they were not counted
   */
  private record Moved(long bytes, long messages) {}

  private BenchmarkCommand() {}

  static JsonObject benchmark(AdapterSession session, CommandFields command) {
    String iteration = command.text("iterationId");
    CommandFields operation = command.object("operation");
    String op = operation.text("op");
    DurableStream stream = session.call(operation).stream();
    long start = System.nanoTime();
    Optional<Moved> moved =
        switch (op) {
          case "append" -> Optional.of(append(stream, operation));
          case "read" -> Optional.of(read(stream, operation));
          case "roundtrip" -> Optional.of(roundTrip(stream, operation));
          case "create" -> Optional.of(create(stream, operation));
          case "throughput_append" -> Optional.of(appendMany(stream, operation));
          case "throughput_read" -> Optional.of(read(stream, operation));
          default -> Optional.empty();
        };
    long took = System.nanoTime() - start;
    return moved
        .map(
            what ->
                AdapterCommands.success("benchmark")
                    .with("iterationId", iteration)
                    .with("durationNs", Long.toString(took))
                    .with("metrics", metrics(what, took))
                    .build())
        .orElseGet(
            () ->
                AdapterFailures.notSupported(
                    "benchmark", "there is no operation %s".formatted(PrintableText.quoted(op))));
  }

  private static JsonObject metrics(Moved moved, long nanos) {
    double seconds = Math.max(nanos, 1) / 1e9;
    JsonObjectBuilder metrics = Json.object().with("bytesTransferred", moved.bytes());
    if (moved.messages() > 0) {
      metrics
          .with("messagesProcessed", moved.messages())
          .with("opsPerSecond", moved.messages() / seconds)
          .with("bytesPerSecond", moved.bytes() / seconds);
    }
    return metrics.build();
  }

  private static byte[] message(CommandFields operation) {
    int size = operation.count("size", 0);
    if (size == 0 || size > MAX_SIZE) {
      throw new InvalidInput("the size must be from 1 to " + MAX_SIZE);
    }
    byte[] message = new byte[size];
    Arrays.fill(message, (byte) '1'); // also a number on a stream of JSON
    return message;
  }

  private static ContentType type(CommandFields operation) {
    return operation.find("contentType").map(ContentType::parse).orElse(ContentType.BYTES);
  }

  private static Moved append(DurableStream stream, CommandFields operation) {
    byte[] message = message(operation);
    stream.append(message);
    return new Moved(message.length, 0);
  }

  private static Moved create(DurableStream stream, CommandFields operation) {
    stream.create(type(operation));
    return new Moved(0, 0);
  }

  private static Moved read(DurableStream stream, CommandFields operation) {
    String from = operation.find("offset").orElse(ReadOptions.START);
    long bytes = 0;
    long messages = 0;
    try (StreamReader reader = stream.read(ReadOptions.from(from))) {
      for (Optional<StreamChunk> next = reader.next(); next.isPresent(); next = reader.next()) {
        StreamChunk chunk = next.get();
        bytes += chunk.bytes().length;
        messages += chunk.isJson() ? chunk.messages().size() : 0;
      }
    }
    expect(operation, messages);
    return new Moved(bytes, messages);
  }

  private static void expect(CommandFields operation, long messages) {
    Optional<Long> expected = operation.number("expectedCount");
    if (expected.isPresent() && expected.get() != messages) {
      throw new StoreException(
          "there are %d messages in the stream and not %d".formatted(messages, expected.get()));
    }
  }

  private static Moved roundTrip(DurableStream stream, CommandFields operation) {
    byte[] message = message(operation);
    Live live =
        switch (operation.find("live").orElse("long-poll")) {
          case "long-poll" -> Live.LONG_POLL;
          case "sse" -> Live.SSE;
          default -> throw new InvalidInput("live must be long-poll or sse");
        };
    stream.create(type(operation));
    try (StreamReader reader = stream.read(ReadOptions.defaults().withLive(live))) {
      CompletableFuture<Integer> arrived = CompletableFuture.supplyAsync(() -> first(reader));
      stream.append(message);
      int read = arrived.orTimeout(LONGEST_ROUND_TRIP.toSeconds(), TimeUnit.SECONDS).join();
      return new Moved((long) message.length + read, 0);
    }
  }

  /** The size of the first data. */
  private static int first(StreamReader reader) {
    for (Optional<StreamChunk> next = reader.next(); next.isPresent(); next = reader.next()) {
      if (!next.get().isEmpty()) {
        return next.get().bytes().length;
      }
    }
    throw new StoreException("the stream was closed before anything came");
  }

  private static Moved appendMany(DurableStream stream, CommandFields operation) {
    byte[] message = message(operation);
    int count = operation.count("count", 1);
    DurableStream there = ensured(stream);
    ProducerSettings settings = ProducerSettings.defaults().withEpoch(0).withLinger(Duration.ZERO);
    try (IdempotentProducer producer =
        IdempotentProducer.open(there, "benchmark-" + UUID.randomUUID(), settings)) {
      for (int i = 0; i < count; i++) {
        producer.append(message);
      }
      producer.flush();
    }
    return new Moved((long) count * message.length, count);
  }

  /** Creates it, unless it is there already, of whatever type. */
  private static DurableStream ensured(DurableStream stream) {
    try {
      return stream.connect();
    } catch (StreamRefused e) {
      if (e.reason() != StreamRefused.Reason.NOT_FOUND) {
        throw e;
      }
      stream.create(ContentType.BYTES);
      return stream;
    }
  }
}
