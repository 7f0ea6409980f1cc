package dev.semel.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.semel.InvalidInput;
import dev.semel.Key;
import dev.semel.StoreException;
import dev.semel.admin.AdminTargets;
import dev.semel.alert.AlertSettings;
import dev.semel.event.Event;
import dev.semel.event.ProcessEvents;
import dev.semel.event.SemelListener;
import dev.semel.event.spi.EventStore;
import dev.semel.idempotency.Codec;
import dev.semel.idempotency.Fingerprint;
import dev.semel.idempotency.Idempotency;
import dev.semel.idempotency.MemoryStore;
import dev.semel.idempotency.spi.Store;
import dev.semel.json.Json;
import dev.semel.stream.ContentType;
import dev.semel.stream.JournalStreams;
import dev.semel.stream.MemoryStreams;
import dev.semel.stream.StreamPath;
import dev.semel.stream.spi.CreateRequest;
import dev.semel.stream.spi.StreamCounts;
import dev.semel.stream.spi.StreamExpiry;
import dev.semel.stream.spi.Streams;
import dev.semel.tck.LoopWatch;
import dev.semel.tck.ManualClock;
import dev.semel.webhook.Webhook;
import dev.semel.webhook.internal.EventFeed;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server inside a program does everything that {@code semel serve} does. */
class EmbeddedServerTest {
  /** Far longer than a test: an end before it means that the server released the caller. */
  private static final Duration LONG = Duration.ofMinutes(15);

  private static final String SECRET = "0123456789abcdef0123456789abcdef";

  @TempDir Path folder;

  private final ManualClock clock = new ManualClock();
  private final MemoryStreams streams = new MemoryStreams(clock);
  private final MemoryStore store = new MemoryStore(InstantSource.system());
  private final List<Event> heard = new CopyOnWriteArrayList<>();
  private final List<String> received = new CopyOnWriteArrayList<>();
  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private HttpServer receiver;

  @BeforeEach
  void receive() throws IOException {
    receiver = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    receiver.createContext("/hook", this::take);
    receiver.start();
  }

  private void take(HttpExchange exchange) throws IOException {
    received.add(
        exchange.getRequestHeaders().getFirst("Webhook-Signature")
            + " "
            + new String(exchange.getRequestBody().readAllBytes(), UTF_8));
    exchange.sendResponseHeaders(204, -1);
    exchange.close();
  }

  @AfterEach
  void end() {
    receiver.stop(0);
    client.close();
    streams.close();
    store.close();
  }

  private Webhook hook() {
    return Webhook.to("http://127.0.0.1:%d/hook".formatted(receiver.getAddress().getPort()))
        .signedWith(SECRET);
  }

  private static AlertSettings alerts() {
    return AlertSettings.defaults().with("disk=90%,after=0s").withEvery(Duration.ofSeconds(1));
  }

  /** The watched disk is nearly full. */
  private ServerBackend watched() {
    return ServerBackend.of(streams)
        .withTargets(
            AdminTargets.of(store).withDisks(() -> Map.of("journal", new Store.Room(95, 100))))
        .withAlerts(alerts())
        .withListener(heard::add);
  }

  private HttpResponse<String> send(SemelServer server, String method, String path, String body)
      throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + path))
            .header("Content-Type", "text/plain")
            .method(method, HttpRequest.BodyPublishers.ofString(body))
            .build();
    return client.send(request, BodyHandlers.ofString());
  }

  private HttpResponse<String> get(SemelServer server, String path)
      throws IOException, InterruptedException {
    return send(server, "GET", path, "");
  }

  @Test
  void expiredStreamsAreRemoved() {
    streams
        .create(
            CreateRequest.of(new StreamPath("a"), ContentType.parse("text/plain"))
                .withExpiry(new StreamExpiry.Idle(1)))
        .toCompletableFuture()
        .join();
    assertThat(streams.counts().map(StreamCounts::streams)).hasValue(1L);
    clock.advance(Duration.ofMinutes(1));

    try (SemelServer server = SemelServer.start(Served.settings(), ServerBackend.of(streams))) {
      assertThat(server.port()).isPositive();
      await().untilAsserted(() -> assertThat(count()).isZero());
    }
  }

  private long count() {
    return streams.counts().map(StreamCounts::streams).orElseThrow();
  }

  @Test
  void failedSweepsAreReportedAndTheServerCloses() {
    LoopWatch watch = LoopWatch.of("semel-sweep");
    try (SemelServer server =
        SemelServer.start(Served.settings(), ServerBackend.of(unswept(streams)))) {
      assertThat(server.port()).isPositive();
      await().untilAsserted(watch::assertTold);
    }
  }

  private static Streams unswept(Streams real) {
    return (Streams)
        Proxy.newProxyInstance(
            Streams.class.getClassLoader(),
            new Class<?>[] {Streams.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("sweep")) {
                return CompletableFuture.failedFuture(new StoreException("away"));
              }
              try {
                return method.invoke(real, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  @Test
  void anAlertFiresAndIsToldToAWebhook() throws Exception {
    try (SemelServer server =
        SemelServer.start(Served.settings(), watched().withWebhooks(hook()))) {
      await().until(() -> !received.isEmpty());

      assertThat(received.get(0))
          .contains("hmac-sha256=")
          .contains("\"alert\":\"disk\"", "\"subject\":\"journal\"", "\"state\":\"firing\"");
      assertThat(get(server, "/api/v1/alerts").body())
          .contains("\"alert\":\"disk\"", "\"state\":\"firing\"");
      await()
          .untilAsserted(
              () ->
                  assertThat(get(server, "/metrics").body())
                      .contains(
                          "semel_alerts_firing{alert=\"disk\",severity=\"critical\"} 1",
                          "semel_webhook_deliveries_total{outcome=\"delivered\"} 1"));
      assertThat(heard).anyMatch(event -> event instanceof Event.AlertChanged);
      await().until(() -> logged("alert-changed"));
    }
  }

  private boolean logged(String kind) {
    return store.events().latest(EventStore.MAX_PAGE).stream()
        .anyMatch(line -> line.kind().equals(kind));
  }

  @Test
  void chosenEventsAreToldToAWebhook() throws Exception {
    EventFeed.Filter duplicates = new EventFeed.Filter(EventFeed.Filter.DUPLICATES, Set.of());
    WebhookReceivers told = WebhookReceivers.of(List.of(hook())).withEvents(duplicates);
    ServerBackend backend =
        ServerBackend.of(streams).withTargets(AdminTargets.of(store)).withWebhooks(told);
    try (SemelServer server = SemelServer.start(Served.settings(), backend)) {
      assertThat(server.port()).isPositive();
      // Repeatedly, because the feed skips what was written before it started.
      await()
          .until(
              () -> {
                askTwice();
                return received.stream().anyMatch(text -> text.contains("\"replayed\""));
              });
    }
  }

  private void askTwice() {
    try (Idempotency idempotency = new Idempotency(store, SemelListener.NONE)) {
      for (int i = 0; i < 2; i++) {
        idempotency.<String, RuntimeException>execute(
            Key.of("payment", "order-1"), Fingerprint.NONE, Codec.utf8(), execution -> "done");
      }
    }
  }

  @Test
  void whatConcernsTheProcessIsHeardUntilTheServerCloses() {
    Event failed = new Event.LoopFailed("a-loop-of-the-program", 1, "a reason");
    try (SemelServer server = SemelServer.start(Served.settings(), watched())) {
      assertThat(server.port()).isPositive();
      ProcessEvents.emit(failed);

      assertThat(heard).contains(failed);
      await().until(() -> logged("loop-failed"));
    }
    heard.clear();
    ProcessEvents.emit(failed);
    assertThat(heard).doesNotContain(failed);
  }

  @Test
  void operatorsMakeBackupsAndSeeHowTheServerWasSetUp() throws Exception {
    try (JournalStreams journal =
            JournalStreams.open(
                folder.resolve("streams"),
                InstantSource.system(),
                JournalStreams.Settings.defaults());
        SemelServer server =
            SemelServer.start(
                Served.settings(),
                ServerBackend.of(journal)
                    .withTargets(AdminTargets.of(store))
                    .withBackups(folder.resolve("backups"))
                    .withDetails(Json.object().with("streams", "here").build()))) {
      assertThat(send(server, "PUT", "/v1/stream/a", "one").statusCode()).isEqualTo(201);

      assertThat(send(server, "POST", "/api/v1/backups", "{\"name\":\"monday\"}").statusCode())
          .isEqualTo(200);

      assertThat(folder.resolve("backups/monday/SHA256SUMS")).isRegularFile();
      assertThat(get(server, "/api/v1/config").body())
          .contains("\"host\":\"127.0.0.1\"", "\"tls\":false", "\"streams\":\"here\"");
    }
  }

  @Test
  void aServerThatClosesIsNotReadyAndServesOnForTheDrain() throws Exception {
    try (SemelServer server =
        SemelServer.start(Served.settings().withDrain(LONG), ServerBackend.of(streams))) {
      Thread closing = Thread.ofVirtual().start(server::close);
      await().until(() -> get(server, "/readyz").statusCode() == 503);

      HttpResponse<String> created = send(server, "PUT", "/v1/stream/a", "one");
      assertThat(created.statusCode()).isEqualTo(201);
      assertThat(created.headers().firstValue("Connection")).hasValue("close");
      assertThat(get(server, "/healthz").statusCode()).isEqualTo(200);
      assertThat(closing.isAlive()).isTrue();

      closing.interrupt();
      closing.join();
      assertThatThrownBy(() -> get(server, "/healthz")).isInstanceOf(IOException.class);
    }
  }

  @Test
  void theDrainEndsOnTimeAndCanBeSkipped() {
    Duration drain = Duration.ofMillis(300);
    long begun = System.nanoTime();
    SemelServer.start(Served.settings().withDrain(drain), ServerBackend.of(streams)).close();
    assertThat(System.nanoTime() - begun).isGreaterThanOrEqualTo(drain.toNanos());

    SemelServer.start(Served.settings().withDrain(LONG), ServerBackend.of(streams))
        .close(Duration.ZERO);
  }

  @Test
  void aServerThatCanNotListenLeavesNothingBehind() throws Exception {
    try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      ServerSettings taken =
          Served.settings().withAddress("127.0.0.1", other.getLocalPort()).withDrain(LONG);

      assertThatThrownBy(() -> SemelServer.start(taken, watched()))
          .isInstanceOf(UncheckedIOException.class);
    }
    Event failed = new Event.LoopFailed("a-loop-of-the-program", 1, "a reason");
    ProcessEvents.emit(failed);
    assertThat(heard).doesNotContain(failed);
  }

  @Test
  void whatWouldNeverHappenIsRefused() {
    ServerBackend alone = ServerBackend.of(streams);
    for (ServerBackend missing :
        List.of(
            alone.withAlerts(alerts()),
            alone.withWebhooks(hook()),
            alone.withBackups(folder),
            alone.withTargets(AdminTargets.of(store)).withWebhooks(hook()))) {
      assertThatThrownBy(() -> SemelServer.start(Served.settings(), missing))
          .isInstanceOf(InvalidInput.class);
    }
    assertThatThrownBy(() -> Served.settings().withDrain(Duration.ofSeconds(-1)))
        .isInstanceOf(InvalidInput.class);
  }
}
