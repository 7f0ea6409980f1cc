package dev.semel.server.admin;

import dev.semel.Key;
import dev.semel.admin.AdminTargets;
import dev.semel.event.Event;
import dev.semel.event.SemelListener;
import dev.semel.event.spi.EventSink;
import dev.semel.idempotency.Codec;
import dev.semel.idempotency.Fingerprint;
import dev.semel.idempotency.Idempotency;
import dev.semel.idempotency.MemoryStore;
import dev.semel.idempotency.spi.Store;
import dev.semel.json.Json;
import dev.semel.json.JsonValue.JsonObject;
import dev.semel.server.SemelServer;
import dev.semel.server.ServerBackend;
import dev.semel.server.ServerSettings;
import dev.semel.server.TestCalls;
import dev.semel.stream.MemoryStreams;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.InstantSource;

/** A server on a free port with the admin API on a store in memory, and a client for it. */
final class Administered implements AutoCloseable {

  final MemoryStore store = new MemoryStore(InstantSource.system());
  final SemelServer server;
  private final EventSink sink =
      new EventSink(store.events(), InstantSource.system(), key -> false);
  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  private Administered(ServerSettings settings, AdminTargets before) {
    this.server =
        SemelServer.start(
            settings,
            ServerBackend.of(new MemoryStreams(InstantSource.system())).withTargets(before));
  }

  private Administered(ServerSettings settings) {
    this.server =
        SemelServer.start(
            settings,
            ServerBackend.of(new MemoryStreams(InstantSource.system()))
                .withTargets(AdminTargets.of(store)));
  }

  static ServerSettings settings() {
    return ServerSettings.defaults()
        .withAddress("127.0.0.1", 0)
        .withEventLoops(2)
        .withGrace(Duration.ofSeconds(5));
  }

  static Administered start() {
    return new Administered(settings());
  }

  static Administered with(ServerSettings settings) {
    return new Administered(settings);
  }

  /** Uses another store. */
  static Administered before(Store other) {
    return new Administered(settings(), AdminTargets.of(other));
  }

  /** Executes as an application on the same store. */
  void run(String operation, String... ids) throws IOException {
    try (Idempotency idempotency = new Idempotency(store, SemelListener.NONE)) {
      for (String id : ids) {
        idempotency.<String, RuntimeException>execute(
            Key.of(operation, id), Fingerprint.NONE, Codec.utf8(), execution -> "done");
      }
    }
  }

  /** Adds this many lines to the event log. */
  void log(int count) {
    for (int i = 0; i < count; i++) {
      sink.on(new Event.Changed("ann", "tick", "target of a length that fills a connection soon"));
      if ((i + 1) % EventSink.MAX_NOTABLE == 0) {
        sink.flush();
      }
    }
    sink.flush();
  }

  private HttpRequest request(String method, String path, String body, String... headers) {
    return TestCalls.request(
        URI.create("http://127.0.0.1:" + server.port() + path), method, body, headers);
  }

  HttpResponse<String> send(String method, String path, String body, String... headers) {
    return TestCalls.send(client, request(method, path, body, headers));
  }

  HttpResponse<String> get(String path, String... headers) {
    return send("GET", path, "", headers);
  }

  static JsonObject json(HttpResponse<String> response) {
    return (JsonObject) Json.parse(response.body());
  }

  HttpResponse<InputStream> open(String path, String... headers)
      throws IOException, InterruptedException {
    return client.send(request("GET", path, "", headers), BodyHandlers.ofInputStream());
  }

  @Override
  public void close() {
    server.close();
    client.shutdownNow();
  }
}
