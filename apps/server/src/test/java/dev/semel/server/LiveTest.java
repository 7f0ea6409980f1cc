package dev.semel.server;

import static dev.semel.server.Served.JSON;
import static dev.semel.server.Served.TEXT;
import static dev.semel.server.Served.header;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.semel.server.stream.StreamHttpSettings;
import dev.semel.stream.ContentType;
import dev.semel.stream.MemoryStreams;
import dev.semel.stream.StreamPath;
import dev.semel.stream.spi.CreateRequest;
import dev.semel.stream.spi.Streams;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.lang.reflect.Proxy;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Live readers, and how they end. */
@Tag("service")
class LiveTest {
  private static final String LONG_POLL = "?offset=now&live=long-poll";
  private static final String SSE = "?offset=-1&live=sse";

  /** Far longer than a test: an answer before it means that the reader was woken. */
  private static final Duration LONG = Duration.ofSeconds(60);

  private static BufferedReader lines(HttpResponse<InputStream> response) {
    return new BufferedReader(new InputStreamReader(response.body(), StandardCharsets.UTF_8));
  }

  /** The next control event's data; before it, the data event's, if there is one. */
  private static List<String> events(BufferedReader lines) throws IOException {
    List<String> data = new ArrayList<>();
    boolean control = false;
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      control |= line.equals("event: control");
      if (line.startsWith("data:")) {
        data.add(line.substring(5));
      }
      if (control && line.isEmpty()) {
        return data;
      }
    }
    return data;
  }

  @Test
  void manyReadersGetWhatComesOnce() throws Exception {
    try (Served served = Served.start()) {
      served.put("many", JSON, "");
      List<BufferedReader> readers = new ArrayList<>();
      for (int i = 0; i < 50; i++) {
        BufferedReader reader = lines(served.open("/v1/stream/many" + SSE));
        assertThat(events(reader)).singleElement().asString().contains("\"upToDate\":true");
        readers.add(reader);
      }
      for (int n = 0; n < 20; n++) {
        served.post("many", JSON, Integer.toString(n));
        for (BufferedReader reader : readers) {
          assertThat(events(reader)).hasSize(2).element(0).isEqualTo("[" + n + "]");
        }
      }
      served.send("POST", "/v1/stream/many", "", "Stream-Closed", "true");
      for (BufferedReader reader : readers) {
        assertThat(events(reader)).singleElement().asString().contains("\"streamClosed\":true");
        assertThat(reader.readLine()).isNull();
      }
    }
  }

  @Test
  void aStreamIsKeptAliveByWhoeverWaitsForIt() {
    ServerSettings settings = Served.settings().withLongPoll(Duration.ofMillis(2500));
    try (Served served = Served.with(settings)) {
      served.send("PUT", "/v1/stream/idle", "", "Stream-TTL", "1");
      served.send("PUT", "/v1/stream/alone", "", "Stream-TTL", "1");
      assertThat(served.get("/v1/stream/idle" + LONG_POLL).statusCode()).isEqualTo(204);
      assertThat(served.get("/v1/stream/idle").statusCode()).isEqualTo(200);
      assertThat(served.get("/v1/stream/alone").statusCode()).isEqualTo(404);
    }
  }

  /** The new stream exists before readers of the old one look again. */
  @Test
  void readersOfADeletedStreamAreNotLedIntoItsSuccessor() throws Exception {
    MemoryStreams streams = new MemoryStreams(InstantSource.system());
    StreamPath path = new StreamPath("again");
    AtomicBoolean deleted = new AtomicBoolean();
    AtomicInteger reads = new AtomicInteger();
    Streams quick =
        before(
            streams,
            call -> {
              if (call.equals("read") && deleted.get()) {
                CreateRequest longer = CreateRequest.of(path, ContentType.parse(TEXT));
                streams.create(longer.withBody(new byte[100])).toCompletableFuture().join();
              }
              reads.addAndGet(call.startsWith("read") ? 1 : 0);
            });
    try (Served served = Served.with(Served.settings().withLongPoll(LONG), quick)) {
      served.put("again", TEXT, "old");
      BufferedReader events = lines(served.open("/v1/stream/again" + SSE));
      assertThat(events(events)).element(0).isEqualTo("old");
      CompletableFuture<HttpResponse<String>> poll =
          served.sendLater("GET", "/v1/stream/again" + LONG_POLL, "");
      await().until(() -> reads.get() >= 2); // each reads and then waits in one turn of its loop
      deleted.set(true);
      served.send("DELETE", "/v1/stream/again", "");
      assertThat(events.readLine()).isNull();
      assertThat(poll.join().statusCode()).isEqualTo(404);
      assertThat(served.get("/v1/stream/again").body()).hasSize(100);
    }
  }

  @Test
  void whoIsWokenGetsNoMoreAtOnceThanAnAnswerHolds() {
    AtomicInteger parked = new AtomicInteger();
    Streams counted =
        before(
            new MemoryStreams(InstantSource.system()),
            call -> parked.addAndGet(call.equals("await") ? 1 : 0));
    StreamHttpSettings small = StreamHttpSettings.defaults().withMaxReadBytes(1).withLongPoll(LONG);
    try (Served served = Served.with(Served.settings().withServing(small), counted)) {
      served.put("small", JSON, "");
      CompletableFuture<HttpResponse<String>> poll =
          served.sendLater("GET", "/v1/stream/small" + LONG_POLL, "");
      await().until(() -> parked.get() == 1);
      served.post("small", JSON, "[1,2,3]");
      assertThat(poll.join().body()).isEqualTo("[1]");
    }
  }

  @Test
  void tooManyReadersAreAskedToComeBack() {
    StreamHttpSettings few = StreamHttpSettings.defaults().withMaxLiveReaders(1).withLongPoll(LONG);
    try (Served served = Served.with(Served.settings().withServing(few))) {
      served.put("few", TEXT, "");
      CompletableFuture<HttpResponse<String>> first =
          served.sendLater("GET", "/v1/stream/few" + LONG_POLL, "");
      await()
          .until(
              () -> served.get("/v1/stream/few?offset=-1&live=sse"),
              response ->
                  response.statusCode() == 429 && !header(response, "Retry-After").isEmpty());
      served.post("few", TEXT, "x");
      assertThat(first.join().body()).isEqualTo("x");
      // A reader that has its answer no longer counts.
      assertThat(served.get("/v1/stream/few?offset=-1&live=long-poll").statusCode()).isEqualTo(200);
    }
  }

  @Test
  void readersThatHungUpNoLongerCount() throws IOException {
    StreamHttpSettings one = StreamHttpSettings.defaults().withMaxLiveReaders(1).withLongPoll(LONG);
    try (Served served = Served.with(Served.settings().withServing(one))) {
      served.put("left", TEXT, "x");
      try (RawClient client = new RawClient(served.server.port())) {
        client.send("GET /v1/stream/left" + SSE + " HTTP/1.1\r\nHost: localhost\r\n\r\n");
        assertThat(client.line()).contains(" 200 ");
      }
      await()
          .until(() -> served.get("/v1/stream/left?offset=-1&live=long-poll").statusCode() == 200);
    }
  }

  @Test
  void eventsEndWhenTheirTimeIsOver() throws Exception {
    StreamHttpSettings brief =
        StreamHttpSettings.defaults().withSseReconnect(Duration.ofMillis(200));
    try (Served served = Served.with(Served.settings().withServing(brief))) {
      served.put("brief", TEXT, "x");
      BufferedReader events = lines(served.open("/v1/stream/brief" + SSE));
      assertThat(events(events)).hasSize(2);
      assertThat(events.readLine()).isNull();
    }
  }

  /** Data that it does not take stays in the stream: the server's memory does not grow with it. */
  @Test
  void aReaderThatDoesNotReadIsNotReadFor() throws Exception {
    AtomicInteger reads = new AtomicInteger();
    Streams counted =
        before(
            new MemoryStreams(InstantSource.system()),
            call -> reads.addAndGet(call.startsWith("read") ? 1 : 0));
    int megabytes = 64;
    try (Served served = Served.with(Served.settings(), counted);
        RawClient slow = new RawClient(served.server.port())) {
      served.put("slow", TEXT, "");
      String piece = "x".repeat(1 << 20);
      for (int i = 0; i < megabytes; i++) {
        assertThat(served.post("slow", TEXT, piece).statusCode()).isEqualTo(204);
      }
      served.send("POST", "/v1/stream/slow", "", "Stream-Closed", "true");
      slow.send("GET /v1/stream/slow" + SSE + " HTTP/1.1\r\nHost: localhost\r\n\r\n");
      assertThat(slow.line()).contains(" 200 ");
      // Others are served meanwhile; the reads that fill the kernel's buffers are far from all.
      for (int i = 0; i < 100; i++) {
        assertThat(served.send("HEAD", "/v1/stream/slow", "").statusCode()).isEqualTo(200);
      }
      assertThat(reads.get()).isLessThan(2 * megabytes);
      // Once it reads, it gets everything.
      long read = 0;
      for (String line = slow.line(); !line.contains("streamClosed"); line = slow.line()) {
        read += line.startsWith("data:x") ? line.length() - 5 : 0;
      }
      assertThat(read).isEqualTo((long) megabytes << 20);
      assertThat(reads.get()).isGreaterThanOrEqualTo(4 * megabytes);
    }
  }

  /** Reports the name of each call before it is made. */
  private static Streams before(Streams streams, Consumer<String> told) {
    return (Streams)
        Proxy.newProxyInstance(
            Streams.class.getClassLoader(),
            new Class<?>[] {Streams.class},
            (proxy, method, arguments) -> {
              told.accept(method.getName());
              return method.invoke(streams, arguments);
            });
  }

  /** Readers of events would see half a character as two broken ones. */
  @Test
  void textIsNotCutWithinACharacter() throws Exception {
    try (Served served = Served.start()) {
      String text = "x" + "€".repeat(400_000);
      served.put("cut", TEXT, text);
      served.send("POST", "/v1/stream/cut", "", "Stream-Closed", "true");
      BufferedReader events = lines(served.open("/v1/stream/cut" + SSE));
      StringBuilder all = new StringBuilder();
      for (List<String> next = events(events); next.size() > 1; next = events(events)) {
        all.append(next.get(0));
      }
      assertThat(all.toString()).isEqualTo(text);
    }
  }

  @Test
  void whenTheServerEndsWhoeverWaitsIsLetGoAtOnce() throws Exception {
    Served served = Served.with(Served.settings().withLongPoll(LONG).withGrace(LONG));
    served.put("end", TEXT, "x");
    CompletableFuture<HttpResponse<String>> poll =
        served.sendLater("GET", "/v1/stream/end" + LONG_POLL, "");
    BufferedReader events = lines(served.open("/v1/stream/end" + SSE));
    assertThat(events(events)).hasSize(2);
    served.post("end", TEXT, "y"); // the long poll may have come before or after it
    long start = System.nanoTime();
    served.server.close();
    assertThat(poll.join().statusCode()).isIn(200, 204);
    while (events.readLine() != null) {}
    assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(LONG.dividedBy(4));
  }

  /** A body that is still coming when the server stops is taken and answered. */
  @Test
  void requestsInProgressAreFinishedWhenTheServerEnds() throws Exception {
    Served served = Served.with(Served.settings().withGrace(LONG));
    served.put("last", TEXT, "");
    try (RawClient client = new RawClient(served.server.port())) {
      client.send(
          "POST /v1/stream/last HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/plain\r\nExpect: 100-continue\r\nContent-Length: 4\r\n\r\n");
      assertThat(client.line()).contains(" 100 ");
      CompletableFuture<Void> closed = CompletableFuture.runAsync(served.server::close);
      client.send("last");
      assertThat(client.rest()).contains(" 204 ");
      closed.get();
    }
  }

  @Test
  void whoHangsUpInMidAppendLeavesNothingHalfDone() throws IOException {
    try (Served served = Served.start()) {
      served.put("half", TEXT, "");
      for (int i = 0; i < 20; i++) {
        try (RawClient client = new RawClient(served.server.port())) {
          client.send(
              "POST /v1/stream/half HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/plain\r\nContent-Length: 100000\r\n\r\nhalf");
        }
      }
      assertThat(served.post("half", TEXT, "whole").statusCode()).isEqualTo(204);
      assertThat(served.get("/v1/stream/half").body()).isEqualTo("whole");
    }
  }
}
