package dev.semel.server.client;

import static dev.semel.server.client.ClientContract.beside;
import static dev.semel.server.client.ClientContract.refused;
import static dev.semel.server.client.ClientContract.utf8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.semel.InvalidInput;
import dev.semel.StoreException;
import dev.semel.stream.ContentType;
import dev.semel.stream.client.DurableStream;
import dev.semel.stream.client.IdempotentProducer;
import dev.semel.stream.client.ProducerSettings;
import dev.semel.stream.client.ReadOptions;
import dev.semel.stream.client.ReadOptions.Live;
import dev.semel.stream.client.StreamChunk;
import dev.semel.stream.client.StreamClient;
import dev.semel.stream.client.StreamGarbled;
import dev.semel.stream.client.StreamReader;
import dev.semel.stream.client.StreamRefused;
import dev.semel.stream.client.StreamRefused.Reason;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Servers that are busy, broken or missing, and the exact requests that they get. */
@Tag("service")
class StrangeAnswersTest {
  private static final String SECRET = "very-secret-token-1234";
  private static final String[] LAST = {"Stream-Up-To-Date", "true", "Stream-Closed", "true"};

  private final StrangeServer server;
  private final StreamClient client = StreamClient.create();

  StrangeAnswersTest() throws IOException {
    server = new StrangeServer();
  }

  @AfterEach
  void stop() {
    client.close();
    server.close();
  }

  private StreamReader reader(Live live) {
    return client
        .at(server.url("/s"))
        .as(ContentType.JSON)
        .read(
            ReadOptions.defaults()
                .withLive(live)
                .withMaxChunkBytes(1000)
                .withPatience(Duration.ofSeconds(5))
                .withPauses(Duration.ofMillis(1), Duration.ofMillis(5)));
  }

  private static List<String> all(StreamReader reader) {
    List<String> all = new ArrayList<>();
    for (Optional<StreamChunk> c = reader.next(); c.isPresent(); c = reader.next()) {
      all.addAll(c.get().messages());
    }
    return all;
  }

  @Test
  void whatMayPassIsTriedAgain() {
    server
        .answers(500, "oops")
        .answers(503, "")
        .answers(429, "", "Retry-After", "1")
        .page("[1]", "1")
        .answers(502, "")
        .page("[2]", "2", LAST);
    try (StreamReader reader = reader(Live.CATCH_UP)) {
      long start = System.nanoTime();
      assertThat(all(reader)).containsExactly("1", "2");
      assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThan(Duration.ofMillis(900));
      assertThat(server.questions())
          .containsExactly(
              "GET /s?offset=-1",
              "GET /s?offset=-1",
              "GET /s?offset=-1",
              "GET /s?offset=-1",
              "GET /s?offset=1",
              "GET /s?offset=1");
    }
  }

  @Test
  void patienceEndsAndBeginsAnew() {
    server.answers(500, "oops").page("[1]", "1", LAST);
    try (StreamReader reader =
        client.at(server.url("/s")).read(ReadOptions.defaults().withPatience(Duration.ZERO))) {
      assertThatThrownBy(reader::next)
          .isInstanceOf(StoreException.class)
          .isNotInstanceOf(StreamRefused.class)
          .hasMessageContaining("status 500");
      assertThat(all(reader)).containsExactly("1");
    }
  }

  @Test
  void whatStaysIsSaidAtOnce() {
    server.answers(410, "").answers(401, "").answers(403, "").answers(501, "").answers(302, "");
    try (StreamReader reader = reader(Live.LONG_POLL)) {
      refused(reader::next, Reason.GONE, 410);
      refused(reader::next, Reason.NOT_ALLOWED, 401);
      refused(reader::next, Reason.NOT_ALLOWED, 403);
      refused(reader::next, Reason.NOT_ALLOWED, 501);
      refused(reader::next, Reason.OTHER, 302);
    }
  }

  @Test
  void cursorsAreShownAgainAndOffsetsAreEncoded() {
    server
        .page("[1]", "a%b+c", "Stream-Cursor", "10 0")
        .answers(204, "", "Stream-Next-Offset", "a%b+c", "Stream-Cursor", "101")
        .page("[2]", "z", "Stream-Cursor", "102", "Stream-Closed", "true");
    try (StreamReader reader = reader(Live.LONG_POLL)) {
      assertThat(all(reader)).containsExactly("1", "2");
      assertThat(server.questions())
          .containsExactly(
              "GET /s?live=long-poll&offset=-1",
              "GET /s?cursor=10%200&live=long-poll&offset=a%25b%2Bc",
              "GET /s?cursor=101&live=long-poll&offset=a%25b%2Bc");
    }
  }

  @Test
  void dataWithoutItsControlEventCameNotAndComesAgain() {
    server
        .events(
            """
            event: data
            data: [1]

            event: control
            data: {"streamNextOffset":"1","streamCursor":"c"}

            event: data
            data: [2]

            """)
        .events(
            """
            event: data
            data: [2]

            event: data
            data: [3]

            event: control
            data: {"streamNextOffset":"3","streamClosed":true}

            """);
    try (StreamReader reader = reader(Live.SSE)) {
      assertThat(all(reader)).containsExactly("1", "2", "3");
      assertThat(server.questions())
          .containsExactly("GET /s?live=sse&offset=-1", "GET /s?cursor=c&live=sse&offset=1");
    }
  }

  @Test
  void nobodyIsLedBack() {
    server
        .page("[1]", "5")
        .page("[2]", "6")
        .page("[]", "5", "Stream-Up-To-Date", "true")
        .page("[3]", "7", LAST);
    try (StreamReader reader = reader(Live.LONG_POLL)) {
      assertThat(all(reader)).containsExactly("1", "2", "3");
      assertThat(server.questions().get(3)).isEqualTo("GET /s?live=long-poll&offset=6");
    }
  }

  @Test
  void closingEndsTheWaitForAServerThatIsSilent() throws IOException {
    try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      URI url = URI.create("http://127.0.0.1:" + silent.getLocalPort() + "/s");
      StreamReader reader = client.at(url).read(ReadOptions.defaults());
      CompletableFuture<Optional<StreamChunk>> waiting = beside(reader::next);
      silent.accept(); // it has connected
      reader.close();
      assertThat(waiting)
          .failsWithin(Duration.ofSeconds(5))
          .withThrowableThat()
          .havingRootCause()
          .isInstanceOf(CancellationException.class);
    }
  }

  @Test
  void nonsenseHasItsOwnException() {
    server
        .page("[1", "1")
        .page("{}", "1")
        .page("[1]", "-1")
        .page("[]", "-1")
        .answers(200, "[1]", "Content-Type", "application/json")
        .page("[\"" + "x".repeat(1000) + "\"]", "1");
    try (StreamReader reader = reader(Live.CATCH_UP)) {
      for (String why : List.of("JSON", "no array", "itself", "itself", "where", "1000 bytes")) {
        assertThatThrownBy(reader::next)
            .isInstanceOf(StreamGarbled.class)
            .hasMessageContaining(why);
      }
      assertThat(reader.offset()).isEqualTo("-1");
    }
    server
        .events("event: control\ndata: {}\n\n")
        .events("event: control\ndata: nonsense\n\n")
        .events("event: data\ndata: {}\n\nevent: control\ndata: {\"streamNextOffset\":\"1\"}\n\n")
        .events("event: data\ndata: \"" + "x".repeat(1000) + "\"\n\n")
        .answers(
            200,
            "event: data\ndata: !\n\n",
            "Content-Type",
            "text/event-stream",
            "Stream-SSE-Data-Encoding",
            "base64")
        .page("[1]", "1");
    try (StreamReader reader = reader(Live.SSE)) {
      for (String why :
          List.of("streamNextOffset", "JSON", "no array", "1000 bytes", "base64", "events")) {
        assertThatThrownBy(reader::next)
            .isInstanceOf(StreamGarbled.class)
            .hasMessageContaining(why);
      }
    }
  }

  /** Node's HTTP parser sends this answer when a request was cut on its way. */
  @Test
  void aProducersBatchThatWasCutIsSentAgain() {
    server.answers(400, "", "Connection", "close").answers(200, "", "Stream-Next-Offset", "1");
    ProducerSettings settings = ProducerSettings.defaults().withEpoch(1);
    DurableStream stream = client.at(server.url("/s")).as(ContentType.BYTES);
    try (IdempotentProducer producer = IdempotentProducer.open(stream, "p", settings)) {
      producer.append("a");
    }
    assertThat(server.questions()).containsExactly("POST /s", "POST /s");
  }

  @Test
  void headersAndParametersAreAskedForEachRequest() {
    AtomicInteger headers = new AtomicInteger();
    AtomicInteger params = new AtomicInteger();
    StreamClient tracing =
        client
            .withToken(SECRET)
            .withHeaders(() -> Map.of("Trace", "t" + headers.incrementAndGet()))
            .withParams(() -> Map.of("zone", "é&" + params.incrementAndGet(), "app", "x"));
    server.page("[1]", "1").answers(500, "").page("[2]", "2", LAST).answers(401, "");
    try (StreamReader reader =
        tracing.at(server.url("/s?mode=fast")).read(ReadOptions.defaults())) {
      assertThat(all(reader)).containsExactly("1", "2");
    }
    assertThat(server.asked())
        .extracting(StrangeServer.Asked::trace)
        .containsExactly("t1", "t2", "t3");
    assertThat(server.asked())
        .extracting(StrangeServer.Asked::token)
        .containsOnly("Bearer " + SECRET);
    assertThat(server.questions().get(2))
        .isEqualTo("GET /s?app=x&mode=fast&offset=1&zone=%C3%A9%263");
    assertThatThrownBy(() -> tracing.at(server.url("/s")).info())
        .isInstanceOf(StreamRefused.class)
        .hasMessageContaining("does not know this one")
        .hasMessageNotContaining(SECRET);
  }

  @Test
  void whatCantBeSentIsSaidWithoutSecrets() {
    assertThatThrownBy(() -> client.withToken("a b")).isInstanceOf(InvalidInput.class);
    assertThatThrownBy(() -> client.stream("s")).isInstanceOf(InvalidInput.class);
    for (String bad : List.of("ftp://h/s", "http://user:" + SECRET + "@h/s", "http:///s", "/s")) {
      assertThatThrownBy(() -> client.at(URI.create(bad)))
          .isInstanceOf(InvalidInput.class)
          .hasMessageNotContaining(SECRET);
    }
    StreamClient badly = client.withHeaders(() -> Map.of("X", SECRET + "\n"));
    assertThatThrownBy(() -> badly.at(server.url("/s")).info())
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("\"X\"")
        .hasMessageNotContaining(SECRET);
    StreamClient clashing = client.withParams(() -> Map.of("offset", "1"));
    assertThatThrownBy(() -> clashing.at(server.url("/s")).info())
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("offset");
    assertThat(server.questions()).isEmpty();
  }

  @Test
  void noServerAtAllIsSaid() throws IOException {
    int free;
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      free = socket.getLocalPort();
    }
    URI nobody = URI.create("http://127.0.0.1:" + free + "/s");
    assertThatThrownBy(() -> client.at(nobody).as(ContentType.JSON).append(utf8("1")))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("nobody answers");
  }

  /** The server writes as fast as it can, so its progress shows what the client has taken. */
  @Test
  void aSlowReaderHoldsTheServerUp() throws Exception {
    String data = "event: data\ndata: [\"" + "x".repeat(60_000) + "\"]\n\n";
    AtomicLong sent = new AtomicLong();
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Thread.ofVirtual().start(() -> flood(socket, data, sent));
      URI url = URI.create("http://127.0.0.1:" + socket.getLocalPort() + "/s");
      try (StreamReader reader =
          client.at(url).as(ContentType.JSON).read(ReadOptions.defaults().withLive(Live.SSE))) {
        assertThat(reader.next().orElseThrow().nextOffset()).isEqualTo("1");
        AtomicLong before = new AtomicLong(-1);
        await()
            .pollInterval(Duration.ofMillis(300))
            .until(() -> before.getAndSet(sent.get()) == sent.get());
        long stopped = sent.get();
        assertThat(stopped).isLessThan(500); // 30 MB, in the buffers of two sockets
        for (int i = 2; i < stopped + 100; i++) {
          assertThat(reader.next().orElseThrow().nextOffset()).isEqualTo("" + i);
        }
        assertThat(sent.get()).isGreaterThan(stopped);
      }
    }
  }

  private static void flood(ServerSocket socket, String data, AtomicLong sent) {
    try (Socket connection = socket.accept();
        OutputStream out = connection.getOutputStream()) {
      out.write(utf8("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n"));
      while (true) {
        long next = sent.get() + 1;
        out.write(utf8(data));
        out.write(utf8("event: control\ndata: {\"streamNextOffset\":\"" + next + "\"}\n\n"));
        sent.set(next);
      }
    } catch (IOException e) {
      // The reader has closed.
    }
  }
}
