package dev.semel.server.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.semel.StoreException;
import dev.semel.junit.Patience;
import dev.semel.proof.fault.FaultProxy;
import dev.semel.stream.ContentType;
import dev.semel.stream.client.DurableStream;
import dev.semel.stream.client.NewStream;
import dev.semel.stream.client.ReadOptions;
import dev.semel.stream.client.ReadOptions.Live;
import dev.semel.stream.client.StreamChunk;
import dev.semel.stream.client.StreamClient;
import dev.semel.stream.client.StreamInfo;
import dev.semel.stream.client.StreamReader;
import dev.semel.stream.client.StreamRefused;
import dev.semel.stream.client.StreamRefused.Reason;
import dev.semel.stream.spi.StreamExpiry;
import java.io.ByteArrayOutputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Behaviour of the client on every server of the protocol, ours or not. */
interface ClientContract {
  ContentType TEXT = ContentType.parse("text/plain");
  List<Live> WAITING = List.of(Live.LONG_POLL, Live.SSE, Live.AUTO);

  AnyServer server();

  StreamClient client();

  default DurableStream stream(String name) {
    return at(server().port(), name);
  }

  private DurableStream at(int port, String name) {
    return client().at(URI.create("http://127.0.0.1:" + port + "/v1/stream/" + name));
  }

  static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static ReadOptions live(Live live) {
    return ReadOptions.defaults()
        .withLive(live)
        .withPauses(Duration.ofMillis(5), Duration.ofMillis(50));
  }

  /** All messages up to the end of a closed stream, or of a catch-up read. */
  private static List<String> messages(StreamReader reader) {
    List<String> all = new ArrayList<>();
    for (Optional<StreamChunk> chunk = reader.next(); chunk.isPresent(); chunk = reader.next()) {
      all.addAll(chunk.get().messages());
    }
    return all;
  }

  private static List<String> numbers(int count) {
    return IntStream.range(0, count).mapToObj(Integer::toString).toList();
  }

  @Test
  default void aHandleCreatesAsksAppendsClosesAndDeletes() {
    DurableStream stream = stream("handle");
    StreamInfo made = stream.create(NewStream.of(TEXT).withExpiry(new StreamExpiry.Idle(600)));
    assertThat(stream.create(NewStream.of(TEXT).withExpiry(new StreamExpiry.Idle(600))))
        .isEqualTo(made);
    refused(() -> stream.create(ContentType.JSON), Reason.CONFLICT, 409);

    String first = stream.append(utf8("one"));
    assertThat(stream.append(utf8("two"), "b")).isGreaterThan(first);
    refused(() -> stream.append(utf8("three"), "a"), Reason.SEQUENCE, 409);
    String tail = stream.closeStream(utf8("."));

    StreamInfo info = stream("handle").info();
    assertThat(info).isEqualTo(new StreamInfo(TEXT, tail, true, new StreamExpiry.Idle(600)));
    assertThat(stream.closeStream()).isEqualTo(tail);
    assertThatThrownBy(() -> stream.append(utf8("late")))
        .isInstanceOfSatisfying(
            StreamRefused.class,
            e -> {
              assertThat(e.reason()).isEqualTo(Reason.CLOSED);
              assertThat(e.tail()).contains(tail);
            });
    try (StreamReader reader = stream.read(ReadOptions.defaults())) {
      assertThat(reader.next().orElseThrow().text()).isEqualTo("onetwo.");
      assertThat(reader.next()).isEmpty();
      assertThat(reader.atEnd()).isTrue();
    }
    stream.delete();
    refused(stream::info, Reason.NOT_FOUND, 404);
    refused(stream::delete, Reason.NOT_FOUND, 404);
  }

  static void refused(Runnable call, Reason reason, int status) {
    assertThatThrownBy(call::run)
        .isInstanceOfSatisfying(
            StreamRefused.class,
            e -> {
              assertThat(e.reason()).isEqualTo(reason);
              assertThat(e.status()).isEqualTo(status);
            });
  }

  @Test
  default void aMessageThatIsAnArrayStaysOne() {
    DurableStream stream = stream("arrays");
    stream.create(NewStream.of(ContentType.JSON).withBody(utf8("[0,[0]]")));
    stream.append(utf8("[1,[2]]"));
    stream.append(utf8("[]"));
    stream.append(utf8(" {\"a\":\"é\"} "));
    stream.appendBody(utf8("[3,4]"));
    try (StreamReader reader = stream("arrays").read(ReadOptions.defaults())) {
      assertThat(messages(reader))
          .containsExactly("0", "[0]", "[1,[2]]", "[]", "{\"a\":\"é\"}", "3", "4");
    }
  }

  @Test
  default void allThatIsThereIsReadHoweverManyPagesItTakes() {
    DurableStream stream = stream("pages");
    stream.create(ContentType.JSON);
    for (int i = 0; i < 40; i++) {
      String padding = " ".repeat(100);
      String body =
          String.join(
              "," + padding,
              IntStream.range(i * 10, i * 10 + 10).mapToObj(Integer::toString).toList());
      stream.appendBody(utf8("[" + body + "]"));
    }
    try (StreamReader reader = stream.read(ReadOptions.defaults())) {
      assertThat(messages(reader)).isEqualTo(numbers(400));
      assertThat(reader.offset()).isEqualTo(stream.info().tail());
      assertThat(reader.next()).isEmpty();
      // Another call asks the server again.
      stream.append(utf8("400"));
      assertThat(messages(reader)).containsExactly("400");
    }
    for (Live live : WAITING) {
      stream.closeStream();
      try (StreamReader reader = stream("pages").read(live(live))) {
        assertThat(messages(reader)).as("%s", live).isEqualTo(numbers(401));
        assertThat(reader.atEnd()).isTrue();
      }
    }
  }

  @Test
  default void whoWaitsGetsWhatComesAndThenTheEnd() {
    DurableStream stream = stream("live");
    stream.create(ContentType.JSON);
    List<CompletableFuture<List<String>>> readers = new ArrayList<>();
    for (Live live : WAITING) {
      StreamReader reader = stream("live").read(live(live));
      StreamChunk empty = reader.next().orElseThrow();
      assertThat(empty.isEmpty() && empty.upToDate()).isTrue();
      readers.add(beside(() -> messages(reader)));
    }
    for (int i = 0; i < 20; i++) {
      stream.append(utf8("" + i));
    }
    // Longer than servers wait here, so that some answers are empty.
    Patience.pass(Duration.ofMillis(700));
    assertThat(readers).noneMatch(CompletableFuture::isDone);
    stream.closeStream(utf8("20"));
    for (CompletableFuture<List<String>> got : readers) {
      assertThat(got).succeedsWithin(Duration.ofSeconds(10)).isEqualTo(numbers(21));
    }
  }

  @Test
  default void bytesArriveAsTheyWereAppended() {
    byte[] bytes = new byte[30_000];
    new Random(7).nextBytes(bytes);
    DurableStream stream = stream("bytes");
    stream.create(ContentType.BYTES);
    for (int i = 0; i < 10; i++) {
      stream.append(Arrays.copyOfRange(bytes, i * 3000, (i + 1) * 3000));
    }
    stream.closeStream();
    for (Live live : Live.values()) {
      ByteArrayOutputStream got = new ByteArrayOutputStream();
      try (StreamReader reader = stream("bytes").read(live(live))) {
        for (Optional<StreamChunk> c = reader.next(); c.isPresent(); c = reader.next()) {
          got.writeBytes(c.get().bytes());
        }
      }
      assertThat(got.toByteArray()).as("%s", live).isEqualTo(bytes);
    }
  }

  @Test
  default void textWithManyLinesArrivesAsEvents() {
    DurableStream stream = stream("lines");
    stream.create(TEXT);
    stream.append(utf8("event: data\n\ndata: é€\n"));
    stream.closeStream(utf8("\n\nend"));
    StringBuilder got = new StringBuilder();
    try (StreamReader reader = stream.read(live(Live.SSE))) {
      for (Optional<StreamChunk> c = reader.next(); c.isPresent(); c = reader.next()) {
        got.append(c.get().text());
      }
    }
    assertThat(got).hasToString("event: data\n\ndata: é€\n\n\nend");
  }

  @Test
  default void nowIsWhereTheStreamEndsWhenFirstAsked() {
    for (Live live : Live.values()) {
      DurableStream stream = stream("now-" + live);
      stream.create(ContentType.JSON);
      stream.append(utf8("\"old\""));
      try (StreamReader reader = stream.read(live(live).withFrom(ReadOptions.NOW))) {
        Optional<StreamChunk> none = reader.next();
        assertThat(none.map(StreamChunk::isEmpty).orElse(true)).isTrue();
        assertThat(reader.offset()).isEqualTo(stream.info().tail());
        stream.closeStream(utf8("\"new\""));
        assertThat(messages(reader)).as("%s", live).containsExactly("\"new\"");
      }
    }
  }

  @Test
  default void whatIsNotThereIsSaidAtOnce() {
    for (Live live : Live.values()) {
      try (StreamReader reader = stream("missing").read(live(live))) {
        refused(reader::next, Reason.NOT_FOUND, 404);
      }
    }
    stream("there").create(TEXT);
    try (StreamReader reader = stream("there").read(live(Live.LONG_POLL).withFrom("%/,nonsense"))) {
      refused(reader::next, Reason.MALFORMED, 400);
    }
  }

  @Test
  default void whoWaitsCanBeClosedOrInterrupted() throws Exception {
    for (Live live : WAITING) {
      DurableStream stream = stream("close-" + live);
      stream.create(ContentType.JSON);
      StreamReader reader = stream.read(live(live));
      assertThat(reader.next().orElseThrow().isEmpty()).isTrue();
      AtomicReference<Thread> waiter = new AtomicReference<>();
      CompletableFuture<Optional<StreamChunk>> interrupted = beside(() -> waiting(reader, waiter));
      await().until(() -> waiter.get() != null && blocked(waiter.get()));
      waiter.get().interrupt();
      assertThat(interrupted)
          .failsWithin(Duration.ofSeconds(5))
          .withThrowableThat()
          .havingRootCause()
          .isInstanceOf(InterruptedException.class);

      // It stays at its place.
      stream.append(utf8("1"));
      assertThat(reader.next().orElseThrow().messages()).containsExactly("1");
      waiter.set(null);
      CompletableFuture<Optional<StreamChunk>> closed = beside(() -> waiting(reader, waiter));
      await().until(() -> waiter.get() != null && blocked(waiter.get()));
      reader.close();
      assertThat(closed)
          .failsWithin(Duration.ofSeconds(5))
          .withThrowableThat()
          .havingRootCause()
          .isInstanceOf(CancellationException.class);
      assertThatThrownBy(reader::next).isInstanceOf(CancellationException.class);
    }
  }

  private static Optional<StreamChunk> waiting(
      StreamReader reader, AtomicReference<Thread> waiter) {
    waiter.set(Thread.currentThread());
    return reader.next();
  }

  private static boolean blocked(Thread thread) {
    return thread.getState() == Thread.State.TIMED_WAITING
        || thread.getState() == Thread.State.WAITING;
  }

  static <T> CompletableFuture<T> beside(Supplier<T> task) {
    CompletableFuture<T> done = new CompletableFuture<>();
    Thread.ofPlatform()
        .daemon()
        .start(
            () -> {
              try {
                done.complete(task.get());
              } catch (CancellationException e) {
                // The bare exception would look as if the future had been cancelled.
                done.completeExceptionally(new CompletionException(e));
              } catch (RuntimeException | Error e) {
                done.completeExceptionally(e);
              }
            });
    return done;
  }

  @Test
  default void cutConnectionsNeitherRepeatNorLoseAnything() throws Exception {
    DurableStream stream = stream("cuts");
    stream.create(ContentType.JSON);
    try (FaultProxy proxy = FaultProxy.before(server().port())) {
      List<CompletableFuture<List<String>>> readers = new ArrayList<>();
      List<List<String>> seen = new ArrayList<>();
      for (Live live : WAITING) {
        List<String> got = Collections.synchronizedList(new ArrayList<>());
        seen.add(got);
        StreamReader reader = at(proxy.port(), "cuts").read(live(live));
        readers.add(beside(() -> follow(reader, got)));
      }
      for (int i = 0; i < 200; i++) {
        stream.append(utf8("" + i));
        if (i % 40 == 20) {
          int least = i / 2;
          await().until(() -> seen.stream().allMatch(got -> got.size() > least));
          proxy.set(FaultProxy.Weather.CUT);
        } else if (i % 40 == 25) {
          proxy.set(FaultProxy.Weather.CLEAR);
        }
      }
      stream.closeStream();
      for (CompletableFuture<List<String>> reader : readers) {
        assertThat(reader).succeedsWithin(Duration.ofSeconds(20)).isEqualTo(numbers(200));
      }
    }
  }

  private static List<String> follow(StreamReader reader, List<String> got) {
    for (Optional<StreamChunk> c = reader.next(); c.isPresent(); c = reader.next()) {
      got.addAll(c.get().messages());
    }
    return List.copyOf(got);
  }

  @Test
  default void readersLiveOnWhenTheServerIsRestarted() throws Exception {
    assumeTrue(server().survives(), "its streams are gone when it is");
    DurableStream stream = stream("restart");
    stream.create(ContentType.JSON);
    List<CompletableFuture<List<String>>> readers = new ArrayList<>();
    for (Live live : WAITING) {
      StreamReader reader = stream.read(live(live));
      readers.add(beside(() -> follow(reader, new ArrayList<>())));
    }
    for (int i = 0; i < 60; i++) {
      if (i % 30 == 15) {
        server().stop();
        assertThatThrownBy(() -> stream.append(utf8("\"never\"")))
            .isInstanceOf(StoreException.class)
            .isNotInstanceOf(StreamRefused.class);
        server().start();
      }
      stream.append(utf8("" + i));
    }
    stream.closeStream();
    for (CompletableFuture<List<String>> reader : readers) {
      assertThat(reader.get(20, TimeUnit.SECONDS)).isEqualTo(numbers(60));
    }
  }
}
