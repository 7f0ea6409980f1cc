package dev.semel.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import dev.semel.InvalidInput;
import dev.semel.StoreException;
import dev.semel.outbox.Relay;
import dev.semel.outbox.RelaySettings;
import dev.semel.stream.ContentType;
import dev.semel.stream.client.ReadOptions;
import dev.semel.stream.client.StreamChunk;
import dev.semel.stream.client.StreamClient;
import dev.semel.stream.client.StreamReader;
import dev.semel.stream.transport.StreamTransport;
import dev.semel.stream.transport.StreamTransportSettings;
import dev.semel.transport.Message;
import dev.semel.transport.PublishFailed;
import dev.semel.transport.PublishFailed.Kind;
import dev.semel.transport.PublishResult;
import dev.semel.transport.SubscribeSettings;
import dev.semel.transport.Transport;
import dev.semel.transport.spi.Delivery;
import dev.semel.transport.spi.LogPosition;
import dev.semel.transport.spi.Subscription;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("service")
final class StreamTransportTest {
  private static final Duration LIMIT = Duration.ofSeconds(30);
  private static final StreamTransportSettings PATIENT =
      StreamsUnderTest.settings().withConfirmWithin(Duration.ofSeconds(25));

  private static final String TOKEN = "Zx81k0sPqv7tB2mYw4Ld";

  @TempDir private static Path folder;

  @SuppressWarnings("NullAway.Init")
  private static StreamsUnderTest on;

  @BeforeAll
  static void start() {
    on = new StreamsUnderTest(folder);
  }

  @AfterAll
  static void stop() {
    on.close();
  }

  private static PublishResult get(CompletionStage<PublishResult> stage) throws Exception {
    try {
      return stage.toCompletableFuture().get(LIMIT.toSeconds(), TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      throw e.getCause() instanceof PublishFailed failed ? failed : e;
    }
  }

  private static PublishFailed failed(CompletionStage<PublishResult> stage) {
    return catchThrowableOfType(PublishFailed.class, () -> get(stage));
  }

  private static Subscription subscribe(Transport transport, String destination) {
    return transport.subscribe(
        destination, "c", SubscribeSettings.defaults(), on.inbox().positions());
  }

  private static List<String> receive(Subscription from, int count) throws InterruptedException {
    List<String> texts = new ArrayList<>();
    long start = System.nanoTime();
    while (texts.size() < count && System.nanoTime() - start < LIMIT.toNanos()) {
      List<Delivery> got = from.receive(count - texts.size(), Duration.ofSeconds(1));
      List<LogPosition> places = got.stream().map(each -> each.place().orElseThrow()).toList();
      on.inbox().positions().advance("c", LogPosition.reached(places, i -> true));
      from.acknowledge(got);
      got.forEach(each -> texts.add(new String(each.message().payload(), StandardCharsets.UTF_8)));
    }
    return texts;
  }

  private static StoreException cannotReceive(Subscription from) {
    return catchThrowableOfType(
        StoreException.class,
        () -> {
          long start = System.nanoTime();
          while (System.nanoTime() - start < LIMIT.toNanos()) {
            assertThat(from.receive(10, Duration.ofSeconds(1))).isEmpty();
          }
        });
  }

  @Test
  void withoutPositionsNobodySubscribes() {
    try (StreamTransport transport =
        StreamTransport.over(on.service().client(), StreamsUnderTest.settings())) {
      assertThatThrownBy(() -> transport.subscribe("d", "c", SubscribeSettings.defaults()))
          .isInstanceOf(InvalidInput.class)
          .hasMessageContaining("positions");
    }
  }

  @Test
  void aDestinationThatIsMissingIsRefusedWhereNothingIsCreated() {
    try (StreamTransport transport =
        StreamTransport.over(on.service().client(), PATIENT.verifyOnly())) {
      PublishFailed failed = failed(transport.publish(Message.of("nobody", "lost")));
      assertThat(failed.kind()).isEqualTo(Kind.REFUSED);
      assertThat(failed).hasMessageContaining("messages/nobody/").hasMessageContaining("create it");
      assertThat(failed(transport.publish(Message.of("a//b", "lost"))).kind())
          .isEqualTo(Kind.REFUSED);
      try (Subscription reader = subscribe(transport, "nobody")) {
        assertThat(cannotReceive(reader)).hasMessageContaining("there is no stream");
      }
    }
  }

  @Test
  void aTokenThatIsWrongIsSaidAndNeverShown(@TempDir Path own) throws Exception {
    Path tokens = Files.writeString(own.resolve("tokens"), TOKEN + "\n");
    try (StreamsService service = new StreamsService(own, tokens.toString())) {
      String wrong = "wrong-" + TOKEN.toLowerCase(Locale.ROOT);
      StreamClient stranger = service.client().withToken(wrong);
      try (StreamTransport transport = StreamTransport.over(stranger, PATIENT.verifyOnly())) {
        PublishFailed failed = failed(transport.publish(Message.of("d", "lost")));
        assertThat(failed.kind()).isEqualTo(Kind.UNREACHABLE);
        assertThat(failed).hasMessageContaining("token").hasMessageNotContaining(wrong);
        assertThat(transport.describe()).contains(service.address()).doesNotContain(wrong);
        try (Subscription reader = subscribe(transport, "d-token")) {
          assertThat(cannotReceive(reader))
              .hasMessageContaining("token")
              .hasMessageNotContaining(wrong);
        }
      }
      try (StreamTransport transport =
          StreamTransport.over(service.client().withToken(wrong), PATIENT)) {
        assertThat(failed(transport.publish(Message.of("d", "lost"))))
            .hasMessageContaining("token");
      }
      try (StreamTransport transport =
          StreamTransport.over(service.client().withToken(TOKEN), PATIENT)) {
        get(transport.publish(Message.of("d", "there")));
      }
    }
  }

  @Test
  void anAnswerThatWasLostIsFoundAndTheMessageIsThereOnce(@TempDir Path own) throws Exception {
    try (StreamsService service = new StreamsService(own);
        StreamTransport transport =
            StreamTransport.over(service.client(), StreamsUnderTest.settings().withPartitions(1));
        StreamClient client = service.client()) {
      get(transport.publish(Message.of("d", "before")));
      Message message = Message.of("d", "slow");
      service.freeze();
      assertThat(failed(transport.publish(message)).kind()).isEqualTo(Kind.UNREACHABLE);
      assertThat(failed(transport.publish(message)).kind()).isEqualTo(Kind.UNREACHABLE);
      service.thaw();
      await()
          .atMost(LIMIT)
          .ignoreExceptions()
          .until(() -> get(transport.publish(message)).position() != null);
      get(transport.publish(Message.of("d", "after")));
      assertThat(stored(client, "messages/d/0")).isEqualTo(3);
    }
  }

  @Test
  void duringAnOutageMessagesAreKeptUpToALimitAndThenAreThereOnce(@TempDir Path own)
      throws Exception {
    int count = 350;
    try (StreamsService service = new StreamsService(own);
        StreamTransport transport =
            StreamTransport.over(service.client(), StreamsUnderTest.settings().withPartitions(2));
        StreamClient client = service.client()) {
      get(transport.publish(Message.of("d", "before 0")));
      get(transport.publish(Message.of("d", "before 1")));
      service.kill();
      List<Message> all = new ArrayList<>();
      List<CompletionStage<PublishResult>> sent = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        all.add(Message.of("d", new byte[100_000]).withOrderingKey("key " + i % 9));
        sent.add(transport.publish(all.getLast()));
      }
      List<PublishFailed> failures = sent.stream().map(StreamTransportTest::failed).toList();
      assertThat(failures).noneMatch(each -> each.kind() == Kind.REFUSED);
      assertThat(failures)
          .anyMatch(each -> String.valueOf(each.getMessage()).matches(".*(the limit|no room).*"))
          .anyMatch(each -> String.valueOf(each.getMessage()).contains("still being sent"));
      service.restart();
      for (Message message : all) {
        await()
            .pollDelay(Duration.ZERO)
            .atMost(LIMIT)
            .ignoreExceptions()
            .until(() -> get(transport.publish(message)).position() != null);
      }
      assertThat(stored(client, "messages/d/0") + stored(client, "messages/d/1"))
          .isEqualTo(count + 2);
    }
  }

  private static int stored(StreamClient client, String path) {
    int count = 0;
    try (StreamReader reader = client.stream(path).read(ReadOptions.defaults())) {
      for (Optional<StreamChunk> chunk = reader.next(); chunk.isPresent(); chunk = reader.next()) {
        count += chunk.get().messages().size();
      }
    }
    return count;
  }

  @Test
  void whatIsTooLargeBecomesADeadLetterOfTheRelay() {
    try (Shop shop = Shop.open(folder.resolve("shop.db").toString())) {
      shop.create();
      shop.order(Message.of("sizes", "small"));
      shop.order(Message.of("sizes", new byte[StreamsUnderTest.MAX_BYTES]));
      try (Relay relay =
          Relay.start(shop.outbox().store(), on.transport(), RelaySettings.defaults())) {
        await().atMost(LIMIT).until(() -> shop.count("semel_outbox") == 0);
        assertThat(relay.counts().dead()).isEqualTo(1);
        assertThat(shop.count("semel_outbox_dead")).isEqualTo(1);
      }
    }
  }

  @Test
  void aStreamThatIsGoneOrNewIsToldAndNotSkipped() throws Exception {
    String destination = "gone";
    try (StreamTransport transport =
            StreamTransport.over(
                on.service().client(), StreamsUnderTest.settings().withPartitions(1));
        StreamClient client = on.service().client()) {
      try (Subscription reader = subscribe(transport, destination)) {
        get(transport.publish(Message.of(destination, "one")));
        get(transport.publish(Message.of(destination, "two")));
        assertThat(receive(reader, 2)).containsExactly("one", "two");
      }
      client.stream("messages/gone/0").delete();
      try (Subscription reader = subscribe(transport, destination)) {
        assertThat(cannotReceive(reader)).hasMessageContaining("deleted");
        client.stream("messages/gone/0").create(ContentType.JSON);
        assertThat(cannotReceive(reader)).hasMessageContaining("created anew");
      }
    }
  }

  @Test
  void whatIsNoMessageStopsItsPartitionAndIsSaid() throws Exception {
    String destination = "foreign";
    try (StreamTransport transport =
            StreamTransport.over(
                on.service().client(), StreamsUnderTest.settings().withPartitions(1));
        StreamClient client = on.service().client();
        Subscription reader = subscribe(transport, destination)) {
      get(transport.publish(Message.of(destination, "one")));
      assertThat(receive(reader, 1)).containsExactly("one");
      client.stream("messages/foreign/0").connect().append("17".getBytes(StandardCharsets.UTF_8));
      assertThat(cannotReceive(reader)).hasMessageContaining("no message of ours");
    }
  }

  @Test
  void readingGoesOnInTheMiddleOfWhatCameTogether() throws Exception {
    String destination = "middle";
    try (StreamTransport transport =
        StreamTransport.over(
            on.service().client(), StreamsUnderTest.settings().withPartitions(1))) {
      List<String> sent = new ArrayList<>();
      for (int i = 0; i < 20; i++) {
        sent.add("größe " + i);
        get(transport.publish(Message.of(destination, "größe " + i)));
      }
      List<String> got = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        try (Subscription reader = subscribe(transport, destination)) {
          got.addAll(receive(reader, 5));
        }
      }
      assertThat(got).isEqualTo(sent);
    }
  }

  @Test
  void aProducerThatWasShutOutIsReplaced() throws Exception {
    String destination = "fenced";
    try (StreamTransport transport =
            StreamTransport.over(
                on.service().client(), StreamsUnderTest.settings().withPartitions(1));
        StreamClient client = on.service().client();
        Subscription reader = subscribe(transport, destination)) {
      get(transport.publish(Message.of(destination, "one")));
      client.stream("messages/fenced/0").delete();
      Message two = Message.of(destination, "two");
      await()
          .atMost(LIMIT)
          .ignoreExceptions()
          .until(() -> get(transport.publish(two)).position() != null);
      assertThat(receive(reader, 1)).containsExactly("two");
    }
  }
}
