package dev.semel.server.gateway;

import dev.semel.http.HttpHeader;
import dev.semel.idempotency.MemoryStore;
import dev.semel.idempotency.spi.Store;
import dev.semel.server.TestCalls;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;

/** A gateway on a free port before a backend, and a client for it. */
final class Guarding implements AutoCloseable {
  private static final HttpClient CLIENT =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  final NodeBackend backend;
  final Store store;
  final Gateway gateway;

  private Guarding(NodeBackend backend, UnaryOperator<GatewaySettings> change, Store store) {
    this.backend = backend;
    this.store = store;
    GatewaySettings settings =
        GatewaySettings.to(backend.upstream())
            .withAddress("127.0.0.1", 0, false)
            .withEventLoops(2)
            .withGrace(Duration.ofSeconds(5));
    this.gateway = Gateway.start(change.apply(settings), store);
  }

  static Guarding start() {
    return with(settings -> settings);
  }

  static Guarding with(UnaryOperator<GatewaySettings> change) {
    return with(change, new MemoryStore(InstantSource.system()));
  }

  static Guarding with(UnaryOperator<GatewaySettings> change, Store store) {
    return new Guarding(NodeBackend.start(), change, store);
  }

  /** Uses another service on this machine. */
  static Guarding to(int port) {
    return with(
        settings ->
            GatewaySettings.to(Upstream.parse("http://127.0.0.1:" + port))
                .withAddress("127.0.0.1", 0, false)
                .withEventLoops(1));
  }

  /** Uses another service, and this store. */
  static Guarding to(Upstream upstream, Store store) {
    return with(
        settings ->
            GatewaySettings.to(upstream).withAddress("127.0.0.1", 0, false).withEventLoops(1),
        store);
  }

  static Guarding before(NodeBackend backend, UnaryOperator<GatewaySettings> change) {
    return new Guarding(backend, change, new MemoryStore(InstantSource.system()));
  }

  URI uri() {
    return URI.create("http://127.0.0.1:" + gateway.port());
  }

  /** Headers: names and values in turn. */
  HttpRequest request(String method, String path, String body, String... headers) {
    return TestCalls.request(URI.create(uri() + path), method, body, headers);
  }

  HttpResponse<String> send(String method, String path, String body, String... headers) {
    return TestCalls.send(CLIENT, request(method, path, body, headers));
  }

  /** A POST with this key. */
  HttpResponse<String> click(String path, String key) {
    return send("POST", path, "{\"amount\":10}", HttpHeader.KEY, key);
  }

  CompletableFuture<HttpResponse<String>> clickLater(String path, String key, String... headers) {
    String[] all = new String[headers.length + 2];
    all[0] = HttpHeader.KEY;
    all[1] = key;
    System.arraycopy(headers, 0, all, 2, headers.length);
    return CLIENT.sendAsync(request("POST", path, "{\"amount\":10}", all), BodyHandlers.ofString());
  }

  CompletableFuture<HttpResponse<String>> sendLater(String method, String path, String body) {
    return CLIENT.sendAsync(request(method, path, body), BodyHandlers.ofString());
  }

  static String header(HttpResponse<?> answer, String name) {
    return answer.headers().firstValue(name).orElse("");
  }

  static boolean isReplay(HttpResponse<?> answer) {
    return header(answer, HttpHeader.REPLAYED).equals("true");
  }

  /** Number of keys in the store. */
  int keys() {
    return store.catalog().list("", "", 100).entries().size();
  }

  @Override
  public void close() {
    gateway.close();
    backend.close();
  }
}
