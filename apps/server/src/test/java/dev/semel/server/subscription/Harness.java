package dev.semel.server.subscription;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.json.Json;
import dev.semel.json.JsonValue.JsonObject;
import dev.semel.server.subscription.internal.http.WebhookOutlet;
import dev.semel.server.subscription.internal.rules.JsonFields;
import dev.semel.stream.ContentType;
import dev.semel.stream.MemoryStreams;
import dev.semel.stream.Offset;
import dev.semel.stream.StreamPath;
import dev.semel.stream.spi.AppendRequest;
import dev.semel.stream.spi.CreateRequest;
import dev.semel.stream.spi.ReadFrom;
import dev.semel.stream.spi.StreamResult;
import dev.semel.stream.spi.Streams;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Subscriptions behind a small server, on streams in memory. */
final class Harness implements AutoCloseable {
  /** An answer. */
  record Got(int status, String text, HttpResponse<String> response) {
    JsonFields body() {
      return JsonFields.of(Json.parse(text), "the answer");
    }

    String code() {
      return body().findObject("error").orElseThrow().text("code");
    }
  }

  final Vertx vertx = Vertx.vertx();
  final Streams streams;
  private final SubscriptionSettings settings;
  private final HttpClient http = HttpClient.newHttpClient();
  private final HttpServer server;
  private final WebhookOutlet outlet;
  private volatile Subscriptions subscriptions;

  Harness() {
    this(new MemoryStreams(InstantSource.system()));
  }

  Harness(Streams streams) {
    this(
        streams,
        SubscriptionSettings.defaults().withLoopbackWebhooks(true),
        WebhookOutlet.ofThisMachine());
  }

  Harness(Streams streams, SubscriptionSettings settings, WebhookOutlet outlet) {
    this.streams = streams;
    this.settings = settings;
    this.outlet = outlet;
    this.subscriptions = open();
    this.server =
        now(
            vertx
                .createHttpServer()
                .requestHandler(request -> subscriptions.handle(request))
                .listen(0, "127.0.0.1"));
  }

  private Subscriptions open() {
    return now(Subscriptions.open(vertx, streams, settings, InstantSource.system(), outlet));
  }

  Subscriptions subscriptions() {
    return subscriptions;
  }

  /** Stops the server in order and starts a new one. */
  void restart() {
    subscriptions.close();
    subscriptions = open();
  }

  String base() {
    return "http://127.0.0.1:%d".formatted(server.actualPort());
  }

  String url(String rest) {
    return base() + "/v1/stream/__ds/" + rest;
  }

  static <T> T now(Future<T> future) {
    return now(future.toCompletionStage());
  }

  private static <T> T now(CompletionStage<T> stage) {
    try {
      return stage.toCompletableFuture().get(20, TimeUnit.SECONDS);
    } catch (InterruptedException | ExecutionException | TimeoutException e) {
      throw new AssertionError(e);
    }
  }

  /** In the stream server's order: the engine answers, then the watcher hears. */
  Offset create(String path, String json) {
    Offset tail = createUnnoticed(path, json);
    subscriptions.created(new StreamPath(path), tail);
    return tail;
  }

  Offset createUnnoticed(String path, String json) {
    StreamResult.ToCreate answer =
        now(
            streams.create(
                CreateRequest.of(new StreamPath(path), ContentType.JSON)
                    .withBody(json.getBytes(StandardCharsets.UTF_8))));
    return ((StreamResult.Created) answer).head().tail();
  }

  Offset append(String path, String json) {
    Offset tail = appendUnnoticed(path, json);
    subscriptions.appended(new StreamPath(path), tail);
    return tail;
  }

  /** Appends without the watcher. */
  Offset appendUnnoticed(String path, String json) {
    StreamResult.ToAppend answer =
        now(
            streams.append(
                new StreamPath(path),
                AppendRequest.of(ContentType.JSON, json.getBytes(StandardCharsets.UTF_8))));
    return ((StreamResult.Appended) answer).next();
  }

  void delete(String path) {
    now(streams.delete(new StreamPath(path)));
    subscriptions.deleted(new StreamPath(path));
  }

  String read(String path) {
    StreamResult.ToRead answer =
        now(streams.read(new StreamPath(path), new ReadFrom.Start(), Integer.MAX_VALUE));
    return new String(((StreamResult.Data) answer).slice().body(), StandardCharsets.UTF_8);
  }

  Got call(String method, String url, String body, String token) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(url))
            .timeout(Duration.ofSeconds(40))
            .method(method, BodyPublishers.ofString(body));
    if (!token.isEmpty()) {
      request.header("authorization", "Bearer " + token);
    }
    try {
      HttpResponse<String> response = http.send(request.build(), BodyHandlers.ofString());
      return new Got(response.statusCode(), response.body(), response);
    } catch (IOException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  Got put(String id, String body) {
    return call("PUT", url("subscriptions/" + id), body, "");
  }

  /** A webhook for all streams below {@code events}. */
  Got putWebhook(String id, Receiver receiver, long leaseMillis) {
    return put(
        id,
        "{\"type\":\"webhook\",\"pattern\":\"events/*\",\"webhook\":{\"url\":\"%s\"},\"lease_ttl_ms\":%d}"
            .formatted(receiver.url(), leaseMillis));
  }

  /** A pull-wake for the same streams. */
  Got putPull(String id, long leaseMillis) {
    return put(
        id,
        "{\"type\":\"pull-wake\",\"pattern\":\"events/*\",\"wake_stream\":\"/wake/\",\"lease_ttl_ms\":%d}"
            .formatted(leaseMillis));
  }

  Got get(String id) {
    return call("GET", url("subscriptions/" + id), "", "");
  }

  /** The acknowledged offset of a stream; empty: the subscription does not follow it. */
  String acked(String id, String path) {
    return get(id).body().list("streams").stream()
        .map(value -> new JsonFields((JsonObject) value))
        .filter(stream -> stream.text("path").equals(path))
        .map(stream -> stream.text("acked_offset"))
        .findFirst()
        .orElse("");
  }

  Got act(String id, String action, String token, String body) {
    return call("POST", url("subscriptions/" + id + "/" + action), body, token);
  }

  static String ack(String wake, long generation, String path, Offset offset, boolean done) {
    return Json.object()
        .with("wake_id", wake)
        .with("generation", generation)
        .with(
            "acks",
            List.of(Json.object().with("stream", path).with("offset", offset.text()).build()))
        .with("done", done)
        .write();
  }

  static void eventually(String what, BooleanSupplier condition) {
    long end = System.nanoTime() + Duration.ofSeconds(20).toNanos();
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).as(what).isLessThan(end);
      LockSupport.parkNanos(Duration.ofMillis(5).toNanos());
    }
  }

  static Offset appendOrCreate(Streams streams, String path, String json) {
    byte[] body = json.getBytes(StandardCharsets.UTF_8);
    StreamResult.ToCreate created =
        now(
            streams.create(
                CreateRequest.of(new StreamPath(path), ContentType.JSON).withBody(body)));
    if (created instanceof StreamResult.Created c) {
      return c.head().tail();
    }
    StreamResult.ToAppend answer =
        now(streams.append(new StreamPath(path), AppendRequest.of(ContentType.JSON, body)));
    return ((StreamResult.Appended) answer).next();
  }

  /** The tail of each stream. */
  static Map<String, Offset> heads(Streams streams) {
    Map<String, Offset> heads = new TreeMap<>();
    now(streams.list("", "", 1000)).forEach(head -> heads.put(head.path().text(), head.tail()));
    return heads;
  }

  /** Waits for nothing: the engine does not answer any more. */
  void kill() {
    subscriptions.shutdown();
    now(server.close());
    now(vertx.close());
  }

  @Override
  public void close() {
    subscriptions.close();
    now(server.close());
    now(vertx.close());
  }
}
