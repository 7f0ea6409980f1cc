package dev.semel.server;

import dev.semel.stream.MemoryStreams;
import dev.semel.stream.spi.Streams;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.CompletableFuture;

/** A server on a free port of this machine, and a client for it. */
final class Served implements AutoCloseable {
  static final String TEXT = "text/plain";
  static final String JSON = "application/json";

  final Streams streams;
  final SemelServer server;
  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  private Served(ServerSettings settings, Streams streams) {
    this.streams = streams;
    this.server = SemelServer.start(settings, ServerBackend.of(streams));
  }

  static ServerSettings settings() {
    return ServerSettings.defaults()
        .withAddress("127.0.0.1", 0)
        .withEventLoops(2)
        .withGrace(Duration.ofSeconds(5));
  }

  static Served with(ServerSettings settings) {
    return new Served(settings, new MemoryStreams(InstantSource.system()));
  }

  static Served with(ServerSettings settings, Streams streams) {
    return new Served(settings, streams);
  }

  static Served start() {
    return with(settings());
  }

  /** Empty body: none is sent. Headers: names and values in turn. */
  HttpRequest request(String method, String path, String body, String... headers) {
    return TestCalls.request(
        URI.create("http://127.0.0.1:" + server.port() + path), method, body, headers);
  }

  HttpResponse<String> send(String method, String path, String body, String... headers) {
    return TestCalls.send(client, request(method, path, body, headers));
  }

  CompletableFuture<HttpResponse<String>> sendLater(
      String method, String path, String body, String... headers) {
    return client.sendAsync(request(method, path, body, headers), BodyHandlers.ofString());
  }

  HttpResponse<InputStream> open(String path, String... headers)
      throws IOException, InterruptedException {
    return client.send(request("GET", path, "", headers), BodyHandlers.ofInputStream());
  }

  HttpResponse<String> get(String path, String... headers) {
    return send("GET", path, "", headers);
  }

  HttpResponse<String> put(String stream, String type, String body) {
    return send("PUT", "/v1/stream/" + stream, body, "Content-Type", type);
  }

  HttpResponse<String> post(String stream, String type, String body, String... headers) {
    String[] all = new String[headers.length + 2];
    all[0] = "Content-Type";
    all[1] = type;
    System.arraycopy(headers, 0, all, 2, headers.length);
    return send("POST", "/v1/stream/" + stream, body, all);
  }

  static String header(HttpResponse<?> response, String name) {
    return response.headers().firstValue(name).orElse("");
  }

  @Override
  public void close() {
    server.close();
    client.close();
    streams.close();
  }
}
