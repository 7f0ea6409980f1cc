package dev.semel.benchmarks.streams;

import dev.semel.benchmarks.Findings;
import dev.semel.benchmarks.messages.RacedBroker;
import dev.semel.benchmarks.messages.TransportRace;
import dev.semel.internal.Ids;
import dev.semel.json.Json;
import dev.semel.json.JsonValue.JsonObject;
import dev.semel.json.JsonValue.JsonString;
import dev.semel.stream.ContentType;
import dev.semel.stream.client.DurableStream;
import dev.semel.stream.client.IdempotentProducer;
import dev.semel.stream.client.ProducerSettings;
import dev.semel.stream.client.ReadOptions;
import dev.semel.stream.client.StreamChunk;
import dev.semel.stream.client.StreamClient;
import dev.semel.stream.client.StreamReader;
import dev.semel.stream.transport.StreamTransport;
import dev.semel.stream.transport.StreamTransportSettings;
import dev.semel.transport.Message;
import dev.semel.transport.Transport;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The race over Semel's streams, with bare producers and readers. */
public final class RacedStreams implements RacedBroker {
  private static final int PARTITIONS = 8;

  private final Served server;
  private final StreamClient client;
  private final StreamTransport transport;

  private RacedStreams(Served server) {
    this.server = server;
    this.client = StreamClient.connect(URI.create(server.url()));
    this.transport =
        StreamTransport.over(
            StreamClient.connect(URI.create(server.url())),
            StreamTransportSettings.defaults().withPartitions(PARTITIONS));
  }

  /** Prints the figures. */
  public static void run(Findings out, Path folder, int sent, int received) throws Exception {
    try (RacedStreams streams =
        new RacedStreams(Served.java(SemelMain.class, folder.resolve("transport").toString()))) {
      TransportRace.run(out, streams, sent, received);
    }
  }

  @Override
  public String name() {
    return "Semel streams";
  }

  @Override
  public Transport transport() {
    return transport;
  }

  @Override
  public String freshDestination() {
    String destination = "d" + Ids.uuid7();
    for (int partition = 0; partition < PARTITIONS; partition++) {
      stream(destination, partition).create(ContentType.JSON);
    }
    return destination;
  }

  private DurableStream stream(String destination, int partition) {
    return client.stream("messages/" + destination + "/" + partition).as(ContentType.JSON);
  }

  @Override
  public void publishBare(List<Message> messages, int batch) {
    Map<Integer, IdempotentProducer> producers = new HashMap<>();
    ProducerSettings settings = ProducerSettings.defaults().withEpoch(0).withLinger(Duration.ZERO);
    try {
      for (int i = 0; i < messages.size(); i++) {
        Message message = messages.get(i);
        int partition = Math.floorMod(message.orderingKey().hashCode(), PARTITIONS);
        producers
            .computeIfAbsent(
                partition,
                number ->
                    IdempotentProducer.open(
                        stream(message.destination(), number), "bare-" + Ids.uuid7(), settings))
            .append(json(message));
        if ((i + 1) % batch == 0) {
          producers.values().forEach(IdempotentProducer::flush);
        }
      }
    } finally {
      producers.values().forEach(IdempotentProducer::close);
    }
  }

  private static byte[] json(Message message) {
    return Json.object()
        .with("id", message.id())
        .with("key", message.orderingKey())
        .with("data", Base64.getEncoder().encodeToString(message.payload()))
        .write()
        .getBytes(StandardCharsets.UTF_8);
  }

  @Override
  public void consumeBare(String destination, int count, int batch, Taker taker) throws Exception {
    for (int partition = 0; partition < PARTITIONS; partition++) {
      try (StreamReader reader = stream(destination, partition).read(ReadOptions.defaults())) {
        for (Optional<StreamChunk> chunk = reader.next();
            chunk.isPresent();
            chunk = reader.next()) {
          List<String> ids = new ArrayList<>();
          for (String message : chunk.get().messages()) {
            ids.add(id(message));
            if (ids.size() == batch) {
              taker.take(ids);
              ids = new ArrayList<>();
            }
          }
          if (!ids.isEmpty()) {
            taker.take(ids);
          }
        }
      }
    }
  }

  private static String id(String json) {
    return Json.parse(json) instanceof JsonObject object
            && object.get("id").orElseThrow() instanceof JsonString id
        ? id.text()
        : "";
  }

  @Override
  public void close() {
    transport.close();
    client.close();
    try {
      server.close();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }
}
