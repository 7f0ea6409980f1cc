package dev.semel.nats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.semel.StoreException;
import dev.semel.junit.Patience;
import dev.semel.stream.ContentType;
import dev.semel.stream.SharedStreams;
import dev.semel.stream.StreamPath;
import dev.semel.stream.spi.AppendRequest;
import dev.semel.stream.spi.CreateRequest;
import dev.semel.stream.spi.ReadFrom;
import dev.semel.stream.spi.StreamResult;
import dev.semel.stream.spi.Streams;
import dev.semel.testservices.NatsService;
import io.nats.client.Connection;
import io.nats.client.Nats;
import io.nats.client.api.DiscardPolicy;
import io.nats.client.api.StreamConfiguration;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Streams on one real NATS server, with its faults. */
@Tag("service")
@SuppressWarnings("try") // interrupting a connection while it closes is harmless
final class StreamsOnJetStreamTest {
  private static final int MAX_PAYLOAD = 65_536;
  private static final Duration PATIENCE = Patience.LIMIT;
  private static final ContentType TEXT = ContentType.parse("text/plain");
  private static final StreamPath PATH = new StreamPath("orders/eu");

  private static NatsService nats;

  @BeforeAll
  static void start() {
    nats = NatsService.start("max_payload: " + MAX_PAYLOAD);
  }

  @AfterAll
  static void end() {
    nats.close();
  }

  private static StreamsSettings settings(String name) {
    return StreamsSettings.parse(nats.url()).withName(name).withTimeout(Duration.ofSeconds(1));
  }

  private static <A> A get(CompletionStage<A> stage) throws Exception {
    return stage.toCompletableFuture().get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
  }

  private static AppendRequest text(String text) {
    return AppendRequest.of(TEXT, text.getBytes(StandardCharsets.UTF_8));
  }

  private static String all(Streams streams) throws Exception {
    return get(streams.read(PATH, new ReadFrom.Start(), 1 << 20)) instanceof StreamResult.Data data
        ? new String(data.slice().body(), StandardCharsets.UTF_8)
        : "none";
  }

  @Test
  void whatDoesNotFitIntoAMessageIsTooLarge() throws Exception {
    try (SharedStreams streams = JetStreamLog.openStreams(settings("LARGE"))) {
      get(streams.create(CreateRequest.of(PATH, TEXT)));
      assertThat(get(streams.append(PATH, text("x".repeat(MAX_PAYLOAD)))))
          .isInstanceOf(StreamResult.TooLarge.class);
      assertThat(get(streams.append(PATH, text("x".repeat(MAX_PAYLOAD - 8_192)))))
          .isInstanceOf(StreamResult.Appended.class);
      byte[] tooMuch = "x".repeat(MAX_PAYLOAD).getBytes(StandardCharsets.UTF_8);
      StreamPath other = new StreamPath("other");
      assertThat(get(streams.create(CreateRequest.of(other, TEXT).withBody(tooMuch))))
          .isInstanceOf(StreamResult.TooLarge.class);
      String many = "[" + "1,".repeat(MAX_PAYLOAD / 3) + "1]"; // each message costs one more byte
      StreamPath numbers = new StreamPath("numbers");
      get(streams.create(CreateRequest.of(numbers, ContentType.JSON)));
      assertThat(
              get(
                  streams.append(
                      numbers,
                      AppendRequest.of(ContentType.JSON, many.getBytes(StandardCharsets.UTF_8)))))
          .isInstanceOf(StreamResult.TooLarge.class);
    }
  }

  @Test
  void aServerThatStandsStillDelaysAndDoublesNothing() throws Exception {
    try (SharedStreams streams = JetStreamLog.openStreams(settings("FROZEN"))) {
      get(streams.create(CreateRequest.of(PATH, TEXT)));
      nats.freeze();
      CompletionStage<StreamResult.ToAppend> answer;
      try {
        answer = streams.append(PATH, text("once"));
        // When a later read has failed, the earlier request has timed out and was repeated.
        CompletionStage<StreamResult.ToHead> head = streams.head(PATH);
        await().until(() -> head.toCompletableFuture().isDone());
        assertThat(answer.toCompletableFuture()).isNotDone();
      } finally {
        nats.thaw();
      }
      assertThat(get(answer)).isInstanceOf(StreamResult.Appended.class);
      await().ignoreExceptions().until(() -> all(streams).equals("once"));
    }
  }

  @Test
  void whatWasAnsweredIsThereAfterTheServerWasKilled() throws Exception {
    try (SharedStreams streams = JetStreamLog.openStreams(settings("KILLED"))) {
      get(streams.create(CreateRequest.of(PATH, TEXT)));
      for (int i = 0; i < 20; i++) {
        assertThat(get(streams.append(PATH, text("x")))).isInstanceOf(StreamResult.Appended.class);
      }
      nats.restart();
      await().ignoreExceptions().until(() -> all(streams).equals("x".repeat(20)));
      assertThat(get(streams.append(PATH, text("y")))).isInstanceOf(StreamResult.Appended.class);
      try (SharedStreams other = JetStreamLog.openStreams(settings("KILLED"))) {
        assertThat(all(other)).isEqualTo("x".repeat(20) + "y"); // read entirely from the log
      }
    }
  }

  @Test
  void appendsOfADeletedStreamAreDropped() throws Exception {
    try (SharedStreams streams = JetStreamLog.openStreams(settings("DROPPED"));
        Connection connection = Nats.connect(nats.url())) {
      get(streams.create(CreateRequest.of(PATH, TEXT)));
      for (int i = 0; i < 10; i++) {
        get(streams.append(PATH, text("x")));
      }
      get(streams.delete(PATH));
      await()
          .until(
              () ->
                  connection
                          .jetStreamManagement()
                          .getStreamInfo("DROPPED")
                          .getStreamState()
                          .getMsgCount()
                      == 2);
    }
  }

  @Test
  void aStreamThatIsFullSaysSoAtOnceAndTakesMoreWhenItMay() throws Exception {
    StreamConfiguration small =
        StreamConfiguration.builder()
            .name("FULL")
            .subjects("semel.streams.FULL.>")
            .discardPolicy(DiscardPolicy.New)
            .maxBytes(20_000)
            .build();
    try (Connection connection = Nats.connect(nats.url())) {
      connection.jetStreamManagement().addStream(small);
      try (SharedStreams streams = JetStreamLog.openStreams(settings("FULL"))) {
        get(streams.create(CreateRequest.of(PATH, TEXT)));
        String part = "x".repeat(4_000);
        int taken = 0;
        while (get(streams.append(PATH, text(part))) instanceof StreamResult.Appended) {
          taken++;
        }
        assertThat(taken).isBetween(1, 5);
        assertThat(get(streams.append(PATH, text(part)))).isInstanceOf(StreamResult.NoRoom.class);
        assertThat(all(streams)).hasSize(taken * part.length());

        connection
            .jetStreamManagement()
            .updateStream(StreamConfiguration.builder(small).maxBytes(200_000).build());

        assertThat(get(streams.append(PATH, text("y")))).isInstanceOf(StreamResult.Appended.class);
        assertThat(all(streams)).isEqualTo("x".repeat(taken * part.length()) + "y");
      }
    }
  }

  @Test
  void aStreamThatForgetsByItselfIsRefused() throws Exception {
    try (Connection connection = Nats.connect(nats.url())) {
      connection
          .jetStreamManagement()
          .addStream(
              StreamConfiguration.builder()
                  .name("FORGETS")
                  .subjects("semel.streams.FORGETS.>")
                  .maxAge(Duration.ofDays(1))
                  .build());
    }
    assertThatThrownBy(() -> JetStreamLog.openStreams(settings("FORGETS")))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("drops what is old")
        .hasMessageContaining("drops the oldest when full");
  }
}
