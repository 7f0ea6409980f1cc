package dev.semel.nats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.semel.Ids;
import dev.semel.StoreException;
import dev.semel.nats.StreamSettings.Retention;
import dev.semel.nats.StreamSettings.Storage;
import dev.semel.testservices.NatsService;
import dev.semel.transport.Delivery;
import dev.semel.transport.Message;
import dev.semel.transport.PublishFailed;
import dev.semel.transport.PublishFailed.Kind;
import dev.semel.transport.Published;
import dev.semel.transport.SubscribeSettings;
import dev.semel.transport.Subscription;
import io.nats.client.Connection;
import io.nats.client.JetStreamApiException;
import io.nats.client.Nats;
import io.nats.client.api.StreamConfiguration;
import io.nats.client.impl.Headers;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@Tag("service")
@ExtendWith(dev.semel.testservices.Services.class)
final class JetStreamTransportTest {
  private static final Duration LIMIT = Duration.ofSeconds(30);

  /** A name and a destination of its own for each test, as streams may not share subjects. */
  private final String stream = "s" + Ids.uuid7();

  private final String destination = stream + ".orders";
  private final List<JetStreamTransport> opened = new ArrayList<>();
  private final NatsService nats;

  JetStreamTransportTest(NatsService nats) {
    this.nats = nats;
  }

  @AfterEach
  void close() {
    opened.forEach(JetStreamTransport::close);
  }

  private JetStreamTransport open(StreamSettings settings) {
    return open(JetStreamUnderTest.settings(nats, settings));
  }

  private JetStreamTransport open(JetStreamSettings settings) {
    JetStreamTransport transport = JetStreamTransport.connect(settings);
    opened.add(transport);
    return transport;
  }

  private StreamSettings settings() {
    return StreamSettings.of(stream, destination);
  }

  private Message message(String text) {
    return Message.of(destination, text);
  }

  private static Published get(CompletionStage<Published> sent) {
    try {
      return sent.toCompletableFuture().get(LIMIT.toSeconds(), TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof StoreException failed) {
        throw failed;
      }
      throw new AssertionError(e);
    } catch (InterruptedException | TimeoutException e) {
      throw new AssertionError(e);
    }
  }

  private static List<Delivery> receive(Subscription from, int count) throws InterruptedException {
    List<Delivery> got = new ArrayList<>();
    long start = System.nanoTime();
    while (got.size() < count && System.nanoTime() - start < LIMIT.toNanos()) {
      try {
        got.addAll(from.receive(count - got.size(), Duration.ofSeconds(1)));
      } catch (StoreException e) {
        assertThat(e).hasMessageContaining("reached");
      }
    }
    return got;
  }

  private interface Work<T> {
    T on(Connection connection) throws IOException, JetStreamApiException;
  }

  private <T> T direct(Work<T> work) throws Exception {
    try (Connection connection = Nats.connect(nats.url())) {
      return work.on(connection);
    }
  }

  @Test
  void everyWayToMakeAnIdIsTheBrokersMessageId() throws Exception {
    JetStreamTransport transport = open(settings());
    Message entity = message("a").withIdOf("order-17-v3");
    Message content = message("b").withIdOfContent();
    Message once = message("c");
    List<String> ids = new ArrayList<>();
    for (Message message : List.of(entity, content, once)) {
      long position = Long.parseLong(get(transport.publish(message)).position());
      assertThat(get(transport.publish(message)).duplicate()).isTrue();
      ids.add(
          direct(
              c ->
                  c.jetStreamManagement()
                      .getMessage(stream, position)
                      .getHeaders()
                      .getFirst("Nats-Msg-Id")));
    }
    assertThat(ids).containsExactly(entity.id(), content.id(), once.id());
  }

  @Test
  void aDuplicateBeyondTheWindowIsStoredAgain() throws InterruptedException {
    JetStreamTransport transport = open(settings().withDuplicateWindow(Duration.ofMillis(100)));
    Message message = message("again");
    get(transport.publish(message));
    long start = System.nanoTime();
    while (get(transport.publish(message)).duplicate()) {
      assertThat(System.nanoTime() - start).isLessThan(LIMIT.toNanos());
    }
    assertThat(transport.hazards(Duration.ofMinutes(1)))
        .anyMatch(hazard -> hazard.contains("duplicate window"));
  }

  @Test
  void theExpectedLastSequenceDecides() {
    JetStreamTransport transport = open(settings());
    Message first = message("1").withOrderingKey("k");
    long sequence =
        Long.parseLong(get(transport.publish(first, Expect.lastSequence(0))).position());
    Message second = message("2").withOrderingKey("k");
    assertThatThrownBy(() -> get(transport.publish(second, Expect.lastSequence(sequence + 1))))
        .isInstanceOf(ExpectationFailed.class);
    assertThatThrownBy(() -> get(transport.publish(second, Expect.lastSubjectSequence(0))))
        .isInstanceOf(ExpectationFailed.class);
    assertThatThrownBy(() -> get(transport.publish(second, Expect.lastMessageId("other"))))
        .isInstanceOf(ExpectationFailed.class);
    get(transport.publish(second, Expect.lastMessageId(first.id())));
    get(
        transport.publish(
            message("3").withOrderingKey("k"), Expect.lastSubjectSequence(sequence + 1)));
    assertThat(get(transport.publish(second, Expect.lastSequence(0))).duplicate())
        .as("an answer that was lost is found again")
        .isTrue();
  }

  @Test
  void ofManyWhoExpectTheSameOneIsTaken() {
    JetStreamTransport transport = open(settings());
    List<CompletionStage<Published>> sent = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      sent.add(transport.publish(message("racer " + i), Expect.lastSequence(0)));
    }
    int taken = 0;
    for (CompletionStage<Published> stage : sent) {
      try {
        get(stage);
        taken++;
      } catch (ExpectationFailed e) {
        assertThat(e).hasMessageContaining("expected");
      }
    }
    assertThat(taken).isEqualTo(1);
  }

  @Test
  void aStreamThatDiffersIsLeftAsItIsAndEachDifferenceNamed() {
    open(settings());
    StreamSettings other =
        StreamSettings.of(stream, destination, stream + ".more")
            .withLanes(4)
            .withDuplicateWindow(Duration.ofMinutes(3))
            .withStorage(Storage.MEMORY)
            .withRetention(Retention.WORK_QUEUE)
            .withMaxAge(Duration.ofDays(4))
            .withMaxBytes(1 << 20);
    assertThatThrownBy(() -> open(other))
        .isInstanceOf(StoreException.class)
        .hasMessageContainingAll(
            "subjects",
            "lanes is 8 and should be 4",
            "duplicate window is PT10M",
            "storage",
            "retention",
            "max age",
            "max bytes");
    open(settings());
  }

  @Test
  void aMissingStreamIsAnErrorForWhoOnlyVerifies() {
    assertThatThrownBy(() -> open(JetStreamUnderTest.settings(nats, settings()).verifyOnly()))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("no stream " + stream);
  }

  @Test
  void moreReplicasThanServersAreRefused() {
    assertThatThrownBy(() -> open(settings().withReplicas(3)))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining(stream);
  }

  @Test
  void aFullStreamIsBusy() throws Exception {
    JetStreamTransport transport = open(settings().withMaxBytes(2000));
    PublishFailed failed = null;
    for (int i = 0; i < 20 && failed == null; i++) {
      try {
        get(transport.publish(message("x".repeat(200))));
      } catch (PublishFailed e) {
        failed = e;
      }
    }
    assertThat(failed).isNotNull();
    assertThat(failed.kind()).isEqualTo(Kind.BUSY);
    direct(c -> c.jetStreamManagement().purgeStream(stream));
    get(transport.publish(message("x".repeat(200))));
  }

  @Test
  void aDestinationThatIsNoSubjectIsRefused() {
    JetStreamTransport transport = open(settings());
    for (String bad :
        List.of("a b", "a.*", "a.>", ".a", "a..b", "größe", "a.any", "a.7", "$JS.x")) {
      Message message = Message.of(bad, "x");
      PublishFailed failed =
          catchThrowableOfType(PublishFailed.class, () -> get(transport.publish(message)));
      assertThat(failed.kind()).as(bad).isEqualTo(Kind.REFUSED);
    }
  }

  @Test
  void aWorkQueueForgetsWhatIsDoneAndHasOneConsumerName() throws Exception {
    JetStreamTransport transport = open(settings().withRetention(Retention.WORK_QUEUE));
    try (Subscription reader =
        transport.subscribe(destination, "one", SubscribeSettings.defaults())) {
      get(transport.publish(message("task")));
      reader.acknowledge(receive(reader, 1));
      assertThat(
              direct(
                  c ->
                      c.jetStreamManagement().getStreamInfo(stream).getStreamState().getMsgCount()))
          .isZero();
      assertThatThrownBy(
              () -> transport.subscribe(destination, "two", SubscribeSettings.defaults()))
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("work queue");
    }
  }

  @Test
  void whatOthersSendArrivesWithWhatItHas() throws Exception {
    JetStreamTransport transport = open(settings());
    direct(
        c -> {
          c.jetStream().publish(destination, "bare".getBytes(StandardCharsets.UTF_8));
          Headers headers = new Headers().put("Nats-Msg-Id", "their-1").put("x", "100%25");
          headers.put("odd name/with", "dropped").put("many", "a", "b");
          return c.jetStream().publish(destination + ".any", headers, new byte[] {0});
        });
    try (Subscription reader =
        transport.subscribe(destination, "c", SubscribeSettings.defaults())) {
      List<Delivery> got = receive(reader, 2);
      assertThat(got.get(0).message().id()).isEqualTo(stream + ":1");
      assertThat(got.get(0).message().destination()).isEqualTo(destination);
      Message second = got.get(1).message();
      assertThat(second.id()).isEqualTo("their-1");
      assertThat(second.headers()).isEqualTo(Map.of("x", "100%25", "many", "a,b"));
    }
  }

  @Test
  void hazardsAreNamed() throws Exception {
    JetStreamTransport safe = open(settings());
    assertThat(safe.hazards(Duration.ofMinutes(5)))
        .singleElement()
        .asString()
        .contains("sync_interval");
    String other = stream + "x";
    direct(
        c ->
            c.jetStreamManagement()
                .addStream(
                    StreamConfiguration.builder()
                        .name(other)
                        .subjects(other + ".d", other + ".d.*")
                        .maxMessagesPerSubject(5)
                        .build()));
    StreamSettings risky =
        StreamSettings.of(stream + "y", stream + "y.d")
            .withDuplicateWindow(Duration.ofHours(2))
            .withStorage(Storage.MEMORY)
            .withMaxAge(Duration.ofHours(3));
    assertThat(String.join("\n", open(risky).hazards(Duration.ofHours(5))))
        .contains(
            "at least as long", "in the server's memory", "file storage", "drops messages after");
  }

  @Test
  void publishingGoesOnOverRestartsAndEverythingIsThereOnce() throws Exception {
    try (NatsService own = NatsService.start()) {
      int count = 2000;
      try (JetStreamTransport transport =
          JetStreamTransport.connect(JetStreamUnderTest.settings(own, settings()))) {
        Map<Message, CompletionStage<Published>> open = new HashMap<>();
        List<Message> all = new ArrayList<>();
        for (int i = 0; i < count; i++) {
          Message message = message("m" + i).withIdOf(stream + i);
          all.add(message);
          open.put(message, transport.publish(message));
          if (i == count / 3 || i == 2 * count / 3) {
            own.restart();
          }
        }
        int failures = 0;
        long start = System.nanoTime();
        while (!open.isEmpty() && System.nanoTime() - start < LIMIT.toNanos()) {
          Map<Message, CompletionStage<Published>> again = new HashMap<>();
          for (Map.Entry<Message, CompletionStage<Published>> sent : open.entrySet()) {
            try {
              get(sent.getValue());
            } catch (PublishFailed e) {
              assertThat(e.kind()).isNotEqualTo(Kind.REFUSED);
              failures++;
              again.put(sent.getKey(), transport.publish(sent.getKey()));
            }
          }
          open = again;
        }
        assertThat(open).isEmpty();
        assertThat(failures).as("restarts must have been noticed").isPositive();
        try (Subscription reader =
            transport.subscribe(
                destination, "c", SubscribeSettings.defaults().withMaxUnacknowledged(5000))) {
          List<String> ids = new ArrayList<>();
          while (ids.size() < count) {
            List<Delivery> got = receive(reader, Math.min(500, count - ids.size()));
            assertThat(got).isNotEmpty();
            reader.acknowledge(got);
            got.forEach(delivery -> ids.add(delivery.message().id()));
          }
          assertThat(ids)
              .containsExactlyInAnyOrderElementsOf(all.stream().map(Message::id).toList());
          assertThat(reader.lag()).isZero();
        }
      }
    }
  }

  @Test
  void passwordsAreNeverShown() {
    try (NatsService guarded = NatsService.start("authorization { token: \"s3cret\" }")) {
      JetStreamSettings right =
          JetStreamSettings.of(guarded.url().replace("://", "://s3cret@"), settings());
      assertThat(right.toString()).doesNotContain("s3cret");
      assertThat(open(right).describe()).contains(stream).doesNotContain("s3cret");
      JetStreamSettings wrong = right.withAccess(Access.token("wr0ng"));
      assertThatThrownBy(() -> open(wrong))
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("may we in")
          .hasStackTraceContaining("Authorization")
          .satisfies(e -> assertThat(stackTrace(e)).doesNotContain("wr0ng", "s3cret"));
    }
  }

  private static String stackTrace(Throwable e) {
    java.io.StringWriter out = new java.io.StringWriter();
    e.printStackTrace(new java.io.PrintWriter(out));
    return out.toString();
  }

  @Test
  void aClosedTransportFailsAtOnce() {
    JetStreamTransport transport = open(settings());
    transport.close();
    PublishFailed failed =
        catchThrowableOfType(PublishFailed.class, () -> get(transport.publish(message("late"))));
    assertThat(failed.kind()).isEqualTo(Kind.UNREACHABLE);
  }
}
