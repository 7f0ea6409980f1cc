package dev.semel.benchmarks.messages;

import dev.semel.benchmarks.Findings;
import dev.semel.internal.Ids;
import dev.semel.nats.JetStreamSettings;
import dev.semel.nats.JetStreamTransport;
import dev.semel.nats.StreamSettings;
import dev.semel.testservices.NatsService;
import dev.semel.transport.Message;
import dev.semel.transport.Transport;
import io.nats.client.Connection;
import io.nats.client.JetStream;
import io.nats.client.JetStreamSubscription;
import io.nats.client.Nats;
import io.nats.client.PullSubscribeOptions;
import io.nats.client.api.PublishAck;
import io.nats.client.impl.Headers;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;

/** The race over JetStream on one server that syncs every message. */
public final class NatsRace implements RacedBroker {
  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final byte[] ACK = "+ACK".getBytes(StandardCharsets.US_ASCII);

  private final NatsService service;
  private final Connection connection;
  private final JetStreamTransport transport;
  private final int partitions;

  private static final int UNFORCED = 20_000;

  private NatsRace(NatsService service, int partitions) throws IOException, InterruptedException {
    this.service = service;
    this.partitions = partitions;
    this.connection = Nats.connect(service.url());
    this.transport =
        JetStreamTransport.connect(
            JetStreamSettings.of(
                service.url(), StreamSettings.of("RACED", "raced.>").withPartitions(partitions)));
  }

  /** Runs on a server, and closes it at the end. */
  static NatsRace start(NatsService service, int partitions)
      throws IOException, InterruptedException {
    return new NatsRace(service, partitions);
  }

  /** Prints the figures. */
  public static void run(Findings out) throws Exception {
    withoutForce(out);
    for (int partitions :
        new int[] {StreamSettings.DEFAULT_PARTITIONS, StreamSettings.MAX_PARTITIONS}) {
      try (NatsRace race = new NatsRace(NatsService.start(), partitions)) {
        TransportRace.run(out, race, 20_000, 20_000);
      }
    }
  }

  /** Measures the disk's share: the bare loop on a server that syncs only periodically. */
  private static void withoutForce(Findings out) throws Exception {
    Path data = Files.createTempDirectory("raced-nats");
    String now = "jetstream { store_dir: \"%s\", sync_interval: \"2m\" }".formatted(data);
    try (NatsRace race = new NatsRace(NatsService.start(now), StreamSettings.DEFAULT_PARTITIONS)) {
      int count = out.pace().count(UNFORCED);
      double seconds = 0;
      for (int round = 0; round < 3; round++) { // only the last round counts
        List<Message> messages = TransportRace.messages(race.freshDestination(), count);
        long started = System.nanoTime();
        race.publishBare(messages, TransportRace.BATCH);
        seconds = (System.nanoTime() - started) / 1e9;
      }
      out.say("bare publish loop, not forced: %,.0f/s", count / seconds);
    }
  }

  @Override
  public String name() {
    return "JetStream, %d partitions".formatted(partitions);
  }

  @Override
  public Transport transport() {
    return transport;
  }

  @Override
  public String freshDestination() {
    return "raced.d" + Ids.uuid7();
  }

  @Override
  public void publishBare(List<Message> messages, int batch) throws Exception {
    JetStream stream = connection.jetStream();
    List<CompletableFuture<PublishAck>> sent = new ArrayList<>();
    for (Message message : messages) {
      Headers headers = new Headers();
      headers.put("Nats-Msg-Id", message.id());
      sent.add(stream.publishAsync(message.destination() + ".any", headers, message.payload()));
      if (sent.size() == batch) {
        awaitAll(sent);
      }
    }
    awaitAll(sent);
  }

  private static void awaitAll(List<CompletableFuture<PublishAck>> sent) {
    sent.forEach(CompletableFuture::join);
    sent.clear();
  }

  /** Acknowledges with confirmations, like our transport. */
  @Override
  public void consumeBare(String destination, int count, int batch, Taker taker) throws Exception {
    JetStreamSubscription reader =
        connection
            .jetStream()
            .subscribe(
                destination + ".>",
                PullSubscribeOptions.builder().durable("bare" + Ids.uuid7()).build());
    int taken = 0;
    while (taken < count) {
      List<io.nats.client.Message> got = reader.fetch(Math.min(batch, count - taken), PATIENCE);
      taker.take(got.stream().map(NatsRace::id).toList());
      List<CompletableFuture<io.nats.client.Message>> confirmed = new ArrayList<>();
      for (io.nats.client.Message each : got) {
        confirmed.add(connection.request(Objects.requireNonNull(each.getReplyTo()), ACK));
      }
      confirmed.forEach(CompletableFuture::join);
      taken += got.size();
    }
    reader.unsubscribe();
  }

  private static String id(io.nats.client.Message message) {
    Headers headers = Objects.requireNonNull(message.getHeaders());
    return Objects.requireNonNull(headers.getFirst("Nats-Msg-Id"));
  }

  @Override
  public void close() {
    transport.close();
    try {
      connection.close();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    service.close();
  }
}
