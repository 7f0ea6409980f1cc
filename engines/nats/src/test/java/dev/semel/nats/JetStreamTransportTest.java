package dev.semel.nats;

import static dev.semel.tck.messages.TransportCalls.LIMIT;
import static dev.semel.tck.messages.TransportCalls.get;
import static dev.semel.tck.messages.TransportCalls.receiveAtLast;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.semel.StoreException;
import dev.semel.internal.Ids;
import dev.semel.nats.StreamSettings.Retention;
import dev.semel.nats.StreamSettings.Storage;
import dev.semel.testservices.NatsService;
import dev.semel.testservices.SharedServices;
import dev.semel.transport.Message;
import dev.semel.transport.PublishFailed;
import dev.semel.transport.PublishFailed.Kind;
import dev.semel.transport.PublishResult;
import dev.semel.transport.SubscribeSettings;
import dev.semel.transport.spi.Delivery;
import dev.semel.transport.spi.Subscription;
import io.nats.client.Connection;
import io.nats.client.JetStreamApiException;
import io.nats.client.Nats;
import io.nats.client.api.DiscardPolicy;
import io.nats.client.api.MessageInfo;
import io.nats.client.api.StreamConfiguration;
import io.nats.client.impl.Headers;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Isolated;

@Tag("service")
@ExtendWith(SharedServices.class)
@Isolated("the locale")
final class JetStreamTransportTest {
  /** A separate name and destination for each test, because streams may not share subjects. */
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

  private interface Work<T> {
    T on(Connection connection) throws IOException, JetStreamApiException;
  }

  private <T> T direct(Work<T> work) throws Exception {
    Connection connection = Nats.connect(nats.url());
    try {
      return work.on(connection);
    } finally {
      connection.close();
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
      MessageInfo stored = direct(c -> c.jetStreamManagement().getMessage(stream, position));
      Headers headers = Objects.requireNonNull(stored.getHeaders());
      ids.add(Objects.requireNonNull(headers.getFirst("Nats-Msg-Id")));
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
        Long.parseLong(get(transport.publish(first, StreamExpectation.lastSequence(0))).position());
    Message second = message("2").withOrderingKey("k");
    assertThatThrownBy(
            () -> get(transport.publish(second, StreamExpectation.lastSequence(sequence + 1))))
        .isInstanceOf(ExpectationFailed.class);
    assertThatThrownBy(
            () -> get(transport.publish(second, StreamExpectation.lastSubjectSequence(0))))
        .isInstanceOf(ExpectationFailed.class);
    assertThatThrownBy(
            () -> get(transport.publish(second, StreamExpectation.lastMessageId("other"))))
        .isInstanceOf(ExpectationFailed.class);
    get(transport.publish(second, StreamExpectation.lastMessageId(first.id())));
    get(
        transport.publish(
            message("3").withOrderingKey("k"),
            StreamExpectation.lastSubjectSequence(sequence + 1)));
    assertThat(get(transport.publish(second, StreamExpectation.lastSequence(0))).duplicate())
        .as("an answer that was lost is found again")
        .isTrue();
  }

  @Test
  void ofManyWhoExpectTheSameOneIsTaken() {
    JetStreamTransport transport = open(settings());
    List<CompletionStage<PublishResult>> sent = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      sent.add(transport.publish(message("racer " + i), StreamExpectation.lastSequence(0)));
    }
    int taken = 0;
    for (CompletionStage<PublishResult> stage : sent) {
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
            .withPartitions(4)
            .withDuplicateWindow(Duration.ofMinutes(3))
            .withStorage(Storage.MEMORY)
            .withRetention(Retention.WORK_QUEUE)
            .withMaxAge(Duration.ofDays(4))
            .withMaxBytes(1 << 20);
    assertThatThrownBy(() -> open(other))
        .isInstanceOf(StoreException.class)
        .hasMessageContainingAll(
            "subjects",
            "partitions is 8 and should be 4",
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
    List<Kind> failures = new ArrayList<>();
    for (int i = 0; i < 20 && failures.isEmpty(); i++) {
      try {
        get(transport.publish(message("x".repeat(200))));
      } catch (PublishFailed e) {
        failures.add(e.kind());
      }
    }
    assertThat(failures).containsExactly(Kind.BUSY);
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
      reader.acknowledge(receiveAtLast(reader, 1));
      long left =
          direct(c -> c.jetStreamManagement().getStreamInfo(stream).getStreamState().getMsgCount());
      assertThat(left).isZero();
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
          headers.put("odd/name(x)", "dropped").put("many", "a", "b");
          return c.jetStream().publish(destination + ".any", headers, new byte[] {0});
        });
    try (Subscription reader =
        transport.subscribe(destination, "c", SubscribeSettings.defaults())) {
      List<Delivery> got = receiveAtLast(reader, 2);
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
    StreamSettings forgetful = StreamSettings.of(stream + "x", stream + "x.d");
    direct(
        c ->
            c.jetStreamManagement()
                .addStream(
                    StreamConfiguration.builder()
                        .name(forgetful.name())
                        .subjects(stream + "x.d", stream + "x.d.*")
                        .duplicateWindow(forgetful.duplicateWindow())
                        .discardPolicy(DiscardPolicy.New)
                        .metadata(Map.of(StreamCheck.PARTITIONS, "8"))
                        .maxMessagesPerSubject(5)
                        .build()));
    assertThat(open(forgetful).hazards(Duration.ofMinutes(5)))
        .anyMatch(hazard -> hazard.contains("drops its oldest"));
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
  void passwordsAreNeverShown() {
    try (NatsService guarded = NatsService.start("authorization { token: \"s3cret\" }")) {
      JetStreamSettings right =
          JetStreamSettings.of(guarded.url().replace("://", "://s3cret@"), settings());
      assertThat(right.toString()).doesNotContain("s3cret");
      assertThat(open(right).describe()).contains(stream).doesNotContain("s3cret");
      JetStreamSettings wrong = right.withAccess(NatsAccess.token("wr0ng"));
      assertThatThrownBy(() -> open(wrong))
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("does not let us in")
          .hasStackTraceContaining("Authorization")
          .satisfies(e -> assertThat(stackTrace(e)).doesNotContain("wr0ng", "s3cret"));
    }
  }

  private static String stackTrace(Throwable e) {
    StringWriter out = new StringWriter();
    e.printStackTrace(new PrintWriter(out));
    return out.toString();
  }

  @Test
  void theServerIsToldNumbersInItsOwnDigits() throws InterruptedException {
    Locale usual = Locale.getDefault();
    Locale.setDefault(Locale.forLanguageTag("ar-EG"));
    try {
      JetStreamTransport transport = open(settings());
      get(transport.publish(message("m")));
      try (Subscription reader =
          transport.subscribe(destination, "c", SubscribeSettings.defaults())) {
        receiveAtLast(reader, 1).getFirst().retry(Duration.ofMillis(1));
        List<Delivery> again = receiveAtLast(reader, 1);
        assertThat(again.getFirst().attempt()).isEqualTo(2);
        reader.acknowledge(again);
      }
    } finally {
      Locale.setDefault(usual);
    }
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
