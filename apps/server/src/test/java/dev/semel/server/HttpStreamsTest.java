package dev.semel.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.StoreException;
import dev.semel.stream.ContentType;
import dev.semel.stream.MemoryStreams;
import dev.semel.stream.Offset;
import dev.semel.stream.StreamLimits;
import dev.semel.stream.StreamPath;
import dev.semel.stream.StreamRetention;
import dev.semel.stream.client.HttpStreams;
import dev.semel.stream.spi.AppendRequest;
import dev.semel.stream.spi.AppendSender;
import dev.semel.stream.spi.CreateRequest;
import dev.semel.stream.spi.DataSlice;
import dev.semel.stream.spi.ProducerTuple;
import dev.semel.stream.spi.ReadFrom;
import dev.semel.stream.spi.StreamExpiry;
import dev.semel.stream.spi.StreamFork;
import dev.semel.stream.spi.StreamHead;
import dev.semel.stream.spi.StreamResult;
import dev.semel.stream.spi.Streams;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Makes the same calls on an engine and on one behind a server: the answers must be equal. */
class HttpStreamsTest {
  private static final InstantSource CLOCK = InstantSource.fixed(Instant.ofEpochSecond(2_000_000));
  private static final StreamPath PATH = new StreamPath("orders/é u/1+1=2%");
  private static final StreamPath OTHER = new StreamPath("other");
  private static final ContentType TEXT = ContentType.parse("text/plain");
  private static final String SECRET = "very-secret-token-1234";
  private static final int MANY = 1 << 20;

  private static Streams engine() {
    StreamLimits limits = new StreamLimits(4, 2, 1000, 10_000, 10, Duration.ofDays(1));
    return new MemoryStreams(CLOCK, limits, new StreamRetention(20, Duration.ofDays(1)));
  }

  private final Streams direct = engine();
  private final Streams served = engine();
  private SemelServer server;
  private HttpStreams http;

  @BeforeEach
  void start() {
    server = SemelServer.start(settings(), ServerBackend.of(served));
    http = new HttpStreams(URI.create("http://127.0.0.1:" + server.port()), "");
  }

  private static ServerSettings settings() {
    return ServerSettings.defaults()
        .withAddress("127.0.0.1", 0)
        .withEventLoops(1)
        .withGrace(Duration.ZERO)
        .withLongPoll(Duration.ofMillis(200));
  }

  @AfterEach
  void stop() {
    http.close();
    server.close();
  }

  private static <A> A get(CompletionStage<A> stage) {
    try {
      return stage.toCompletableFuture().join();
    } catch (CompletionException e) {
      throw e.getCause() instanceof RuntimeException r ? r : e;
    }
  }

  /** Calls both, checks that they agree, and returns the answer. */
  private <A> A both(Function<Streams, CompletionStage<A>> call) {
    A expected = get(call.apply(direct));
    A actual = get(call.apply(http));
    assertThat(comparable(actual)).isEqualTo(comparable(expected));
    return expected;
  }

  private <A> Object said(Function<Streams, CompletionStage<A>> call) {
    return both(call);
  }

  /** Removes what the protocol does not carry. */
  private static Object comparable(Object answer) {
    return switch (answer) {
      case StreamResult.Created c -> List.of("created", comparable(c.head()));
      case StreamResult.Existed e -> List.of("existed", comparable(e.head()));
      case StreamResult.Found f -> List.of("found", comparable(f.head()));
      case StreamResult.Data d -> comparable(d.slice());
      case StreamResult.Duplicate d -> List.of(d.highest(), d.first(), d.closed());
      case StreamHead h ->
          List.of(h.path(), h.config().type().text(), h.config().expiry(), h.tail(), h.closed());
      default -> answer;
    };
  }

  private static List<Object> comparable(DataSlice s) {
    return List.of(
        new String(s.body(), StandardCharsets.UTF_8),
        s.from(),
        s.next(),
        s.upToDate(),
        s.closed(),
        s.head().config().type());
  }

  private static AppendRequest text(String body) {
    return AppendRequest.of(TEXT, body.getBytes(StandardCharsets.UTF_8));
  }

  private static AppendRequest json(String body) {
    return AppendRequest.of(ContentType.JSON, body.getBytes(StandardCharsets.UTF_8));
  }

  private StreamResult.ToAppend append(AppendRequest request) {
    return both(s -> s.append(PATH, request));
  }

  private StreamResult.ToRead read(String from, int maxBytes) {
    return both(s -> s.read(PATH, ReadFrom.parse(from), maxBytes));
  }

  @Test
  void creationsAreAnsweredAlike() {
    CreateRequest plain = CreateRequest.of(PATH, TEXT);
    assertThat(said(s -> s.create(plain))).isInstanceOf(StreamResult.Created.class);
    assertThat(said(s -> s.create(plain))).isInstanceOf(StreamResult.Existed.class);
    both(s -> s.create(CreateRequest.of(PATH, ContentType.JSON)));
    both(s -> s.append(PATH, text("abcdef")));
    assertThat(
            said(
                s ->
                    s.create(
                        CreateRequest.fork(OTHER, new StreamFork(OTHER, Optional.empty(), 0)))))
        .isEqualTo(new StreamResult.SourceMissing());
    both(
        s ->
            s.create(
                CreateRequest.fork(OTHER, new StreamFork(PATH, Optional.of(new Offset(99)), 0))));
    both(
        s ->
            s.create(CreateRequest.fork(OTHER, new StreamFork(PATH, Optional.of(Offset.ZERO), 3))));
    both(s -> s.read(OTHER, new ReadFrom.Start(), MANY));
    both(s -> s.delete(PATH));
    both(s -> s.create(plain));
    both(
        s ->
            s.create(
                CreateRequest.fork(
                    new StreamPath("late"), new StreamFork(PATH, Optional.empty(), 0))));
    both(s -> s.head(PATH));
    both(s -> s.append(PATH, text("x")));
    both(s -> s.delete(PATH));
    StreamExpiry idle = new StreamExpiry.Idle(60);
    both(
        s ->
            s.create(
                CreateRequest.of(new StreamPath("a"), TEXT).withExpiry(idle).withBody(bytes(5))));
    both(s -> s.head(new StreamPath("a")));
    StreamExpiry at = new StreamExpiry.At(CLOCK.millis() + 60_001);
    both(s -> s.create(CreateRequest.of(new StreamPath("b"), TEXT).withExpiry(at).bornClosed()));
    both(s -> s.head(new StreamPath("b")));
    assertThat(said(s -> s.create(CreateRequest.of(new StreamPath("c"), TEXT))))
        .isEqualTo(new StreamResult.Full("streams", 4));
  }

  private static byte[] bytes(int length) {
    return "x".repeat(length).getBytes(StandardCharsets.UTF_8);
  }

  @Test
  void appendsAreAnsweredAlike() {
    assertThat(append(text("lost"))).isEqualTo(new StreamResult.Missing());
    both(s -> s.create(CreateRequest.of(PATH, TEXT)));
    append(text("one"));
    append(text("two").by(new ProducerTuple("p", 3, 0)));
    assertThat(append(text("two").by(new ProducerTuple("p", 3, 0))))
        .isInstanceOf(StreamResult.Duplicate.class);
    assertThat(append(text("x").by(new ProducerTuple("p", 3, 7))))
        .isEqualTo(new StreamResult.Gap(1, 7));
    assertThat(append(text("x").by(new ProducerTuple("p", 2, 0))))
        .isEqualTo(new StreamResult.StaleEpoch(3));
    append(text("x").by(new ProducerTuple("p", 4, 5)));
    append(text("old").by(new AppendSender.Managed("m", OptionalLong.empty(), 0)));
    append(text("old").by(new AppendSender.Managed("m", OptionalLong.empty(), 0)));
    append(text("x").by(new AppendSender.Managed("m", OptionalLong.of(9), 5)));
    assertThat(append(text("x").by(new ProducerTuple("third", 0, 0))))
        .isEqualTo(new StreamResult.Full("producers per stream", 2));
    assertThat(append(text("y").ifMatch(Offset.ZERO))).isInstanceOf(StreamResult.TailMoved.class);
    append(text("seq").withSeq("b"));
    assertThat(append(text("seq").withSeq("b"))).isInstanceOf(StreamResult.SeqRegression.class);
    assertThat(append(json("1"))).isEqualTo(new StreamResult.OtherType(TEXT));
    assertThat(append(AppendRequest.of(TEXT, bytes(1001))))
        .isEqualTo(new StreamResult.TooLarge(1000));
    append(text("end").by(new ProducerTuple("p", 3, 1)).closing());
    append(text("end").by(new ProducerTuple("p", 3, 1)).closing());
    assertThat(append(text("late"))).isInstanceOf(StreamResult.StreamClosed.class);
    assertThat(append(AppendRequest.closeOnly())).isInstanceOf(StreamResult.Closed.class);
  }

  @Test
  void closingAloneIsAnsweredAlike() {
    both(s -> s.create(CreateRequest.of(PATH, TEXT)));
    append(text("x").by(new ProducerTuple("p", 0, 0)));
    append(AppendRequest.closeOnly().by(new ProducerTuple("p", 0, 1)));
    both(s -> s.head(PATH));
    both(s -> s.delete(PATH));
    both(s -> s.delete(PATH));
  }

  @Test
  void jsonStaysInTheMessagesItWasSentIn() {
    both(s -> s.create(CreateRequest.of(PATH, ContentType.JSON)));
    append(json("[1, [2,3], {\"a\" : \"é\"}]"));
    append(json("[[4]]"));
    assertThat(append(json("{"))).isInstanceOf(StreamResult.Malformed.class);
    assertThat(append(json("[]"))).isInstanceOf(StreamResult.Malformed.class);
    assertThat(((StreamResult.Data) read("-1", MANY)).slice().body())
        .asString(StandardCharsets.UTF_8)
        .isEqualTo("[1,[2,3],{\"a\" : \"é\"},[4]]");
    read("-1", 1);
    read("-1", 9);
    read("now", MANY);
  }

  @Test
  void readsAreAnsweredAlike() {
    read("-1", MANY);
    both(s -> s.create(CreateRequest.of(PATH, TEXT)));
    read("-1", MANY);
    append(text("0123456789"));
    append(text("abcdefghij"));
    read("-1", MANY);
    read("-1", 4);
    read(new Offset(12).text(), 100);
    read(new Offset(20).text(), 100);
    read("now", 100);
    read(new Offset(21).text(), 100);
    append(text("ABCDEFGHIJ").closing());
    read(new Offset(20).text(), 100);
    read(new Offset(30).text(), 100);
    assertThat(get(direct.sweep())).isEqualTo(get(served.sweep())).isPositive();
    assertThat(read(Offset.ZERO.text(), 100))
        .isEqualTo(new StreamResult.BelowHorizon(new Offset(10)));
    read("-1", 100);
    assertThat(said(s -> s.touch(PATH))).isEqualTo(true);
    assertThat(said(s -> s.touch(OTHER))).isEqualTo(false);
  }

  @Test
  void listsAndProducersAreTheSame() {
    for (String name : List.of("b", "a/1", "a/2")) {
      both(s -> s.create(CreateRequest.of(new StreamPath(name), TEXT)));
    }
    for (String prefix : List.of("", "a/", "z")) {
      both(s -> s.list(prefix, "", 10).thenApply(HttpStreamsTest::comparable));
      both(s -> s.list(prefix, "a/1", 1).thenApply(HttpStreamsTest::comparable));
    }
    both(s -> s.create(CreateRequest.of(PATH, TEXT)));
    append(text("x").by(new ProducerTuple("p", 5, 0)));
    append(text("x").by(new AppendSender.Managed("p", OptionalLong.empty(), 0)));
    List<StreamResult.Producer> producers = both(s -> s.producers(PATH));
    assertThat(producers).hasSize(2);
    assertThat(said(s -> s.producers(OTHER))).isEqualTo(List.of());
    assertThat(said(s -> s.fence(PATH, "p", false, 5))).isEqualTo(false);
    assertThat(said(s -> s.fence(PATH, "p", false, 6))).isEqualTo(true);
    assertThat(said(s -> s.fence(PATH, "nobody", true, 6))).isEqualTo(false);
    both(s -> s.producers(PATH));
    append(text("x").by(new ProducerTuple("p", 5, 1)));
    assertThat(get(http.sweep())).isZero();
  }

  private static List<Object> comparable(List<StreamHead> heads) {
    List<Object> all = new ArrayList<>();
    heads.forEach(h -> all.add(List.of(comparable((Object) h), h.start())));
    return all;
  }

  @Test
  void batchIsAppendedInItsOrder() throws InterruptedException {
    both(s -> s.create(CreateRequest.of(PATH, TEXT)));
    int count = 20;
    CountDownLatch answered = new CountDownLatch(count);
    List<Streams.Submission> batch = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      batch.add(new Counting(text((char) ('a' + i) + ""), answered));
    }

    http.append(batch);

    assertThat(answered.await(30, TimeUnit.SECONDS)).isTrue();
    StreamResult.ToRead data = get(served.read(PATH, new ReadFrom.Start(), MANY));
    assertThat(((StreamResult.Data) data).slice().body())
        .asString(StandardCharsets.UTF_8)
        .isEqualTo("abcdefghijklmnopqrst");
  }

  private record Counting(AppendRequest request, CountDownLatch latch)
      implements Streams.Submission {
    @Override
    public StreamPath path() {
      return PATH;
    }

    @Override
    public void answered(StreamResult.ToAppend answer) {
      latch.countDown();
    }

    @Override
    public void failed(StoreException cause) {
      throw cause;
    }
  }

  @Test
  void waitersAreWokenByDataTheEndAndDeletionAcrossLongPolls() throws InterruptedException {
    get(http.create(CreateRequest.of(PATH, TEXT)));
    CountDownLatch data = waiting(Offset.ZERO);
    // Longer than one long-poll: the wait continues with the next one.
    assertThat(data.await(500, TimeUnit.MILLISECONDS)).isFalse();
    get(http.append(PATH, text("x")));
    assertThat(data.await(30, TimeUnit.SECONDS)).isTrue();

    CountDownLatch end = waiting(new Offset(1));
    CountDownLatch cancelled = new CountDownLatch(1);
    http.await(PATH, new Offset(1), cancelled::countDown).orElseThrow().cancel();
    get(http.append(PATH, AppendRequest.closeOnly()));
    assertThat(end.await(30, TimeUnit.SECONDS)).isTrue();
    assertThat(waiting(new Offset(1)).await(30, TimeUnit.SECONDS)).isTrue();
    get(http.delete(PATH));
    assertThat(waiting(new Offset(1)).await(30, TimeUnit.SECONDS)).isTrue();
    assertThat(cancelled.getCount()).isEqualTo(1);
  }

  private CountDownLatch waiting(Offset beyond) {
    CountDownLatch woken = new CountDownLatch(1);
    assertThat(http.await(PATH, beyond, woken::countDown)).isPresent();
    return woken;
  }

  @Test
  void whoIsNotAllowedIsToldWithoutTheToken(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("tokens");
    Files.writeString(file, SECRET + " read\n");
    ServerSettings guarded = settings().withAccess(AccessRules.parse(file));
    try (SemelServer closed = SemelServer.start(guarded, ServerBackend.of(served))) {
      URI address = URI.create("http://127.0.0.1:" + closed.port());
      try (HttpStreams nobody = new HttpStreams(address, "");
          HttpStreams stranger = new HttpStreams(address, "wrong-" + SECRET);
          HttpStreams reader = new HttpStreams(address, SECRET)) {
        assertThatThrownBy(() -> get(nobody.head(PATH)))
            .isInstanceOf(HttpStreams.NotAllowed.class)
            .hasMessageContaining(address.getAuthority())
            .hasMessageContaining("got none");
        assertThatThrownBy(() -> get(stranger.append(PATH, text("x"))))
            .isInstanceOf(HttpStreams.NotAllowed.class)
            .hasMessageContaining("does not know")
            .hasMessageNotContaining(SECRET);
        assertThat(get(reader.head(PATH))).isEqualTo(new StreamResult.Missing());
        assertThatThrownBy(() -> get(reader.create(CreateRequest.of(PATH, TEXT))))
            .isInstanceOf(HttpStreams.NotAllowed.class)
            .hasMessageContaining("refuses")
            .hasMessageNotContaining(SECRET);
      }
    }
  }

  @Test
  void readOnlyServerIsToldApart() {
    try (SemelServer fixed =
            SemelServer.start(settings().withReadOnly(true), ServerBackend.of(served));
        HttpStreams reader = new HttpStreams(URI.create("http://127.0.0.1:" + fixed.port()), "")) {
      assertThatThrownBy(() -> get(reader.create(CreateRequest.of(PATH, TEXT))))
          .isInstanceOf(HttpStreams.NotAllowed.class)
          .hasMessageContaining("read-only");
    }
  }

  @Test
  void nobodyThereIsToldWithTheAddress() throws IOException {
    int port;
    try (ServerSocket free = new ServerSocket(0)) {
      port = free.getLocalPort();
    }
    try (HttpStreams nobody = new HttpStreams(URI.create("http://127.0.0.1:" + port), "")) {
      assertThatThrownBy(() -> get(nobody.append(PATH, text("x"))))
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("127.0.0.1:" + port)
          .hasMessageContaining("semel serve");
    }
  }

  @Test
  void lostAnswerIsAFailureOfUnknownOutcome() throws Exception {
    try (ServerSocket silent = new ServerSocket(0);
        HttpStreams client =
            new HttpStreams(URI.create("http://127.0.0.1:" + silent.getLocalPort()), "")) {
      CompletionStage<StreamResult.ToAppend> append = client.append(PATH, text("x"));
      silent.accept().close();
      assertThatThrownBy(() -> get(append))
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("unknown");
    }
  }

  @Test
  void anotherKindOfServerIsFoundOut() throws Exception {
    try (ServerSocket other = new ServerSocket(0);
        HttpStreams client =
            new HttpStreams(URI.create("http://127.0.0.1:" + other.getLocalPort()), "")) {
      CompletionStage<StreamResult.ToHead> head = client.head(PATH);
      try (java.net.Socket socket = other.accept()) {
        socket
            .getOutputStream()
            .write("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n".getBytes(StandardCharsets.UTF_8));
        assertThatThrownBy(() -> get(head))
            .isInstanceOf(StoreException.class)
            .hasMessageContaining("is it a Semel server?");
      }
    }
  }

  @Test
  void addressesAreCheckedWithoutRepeatingThem() {
    for (String bad :
        List.of("ftp://host", "http://user:hunter2@host", "http://host/path", "http:host")) {
      assertThatThrownBy(() -> new HttpStreams(URI.create(bad), ""))
          .isInstanceOf(dev.semel.InvalidInput.class)
          .hasMessageNotContaining("hunter2");
    }
  }
}
