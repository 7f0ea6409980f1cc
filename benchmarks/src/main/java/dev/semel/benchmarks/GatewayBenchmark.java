package dev.semel.benchmarks;

import dev.semel.idempotency.MemoryStore;
import dev.semel.server.gateway.Gateway;
import dev.semel.server.gateway.GatewaySettings;
import dev.semel.server.gateway.Upstream;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.RequestOptions;
import java.time.Duration;
import java.time.InstantSource;

/**
 * A small payment through the gateway, against a bare proxy on the same stack that only copies
 * bytes, and against a direct call of the service. Service, proxies and load share the machine and
 * the process.
 */
final class GatewayBenchmark {
  private static final int CALLERS = 32;
  private static final int CONNECTIONS = 256;
  private static final String HOST = "127.0.0.1";

  private GatewayBenchmark() {}

  static void run(Findings out) throws Exception {
    Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(2));
    try (MemoryStore store = new MemoryStore(InstantSource.system())) {
      HttpServer service = await(vertx.createHttpServer().requestHandler(GatewayBenchmark::serve));
      HttpServer bare = await(bareProxy(vertx, service.actualPort()));
      GatewaySettings settings =
          GatewaySettings.to(Upstream.parse("http://" + HOST + ":" + service.actualPort()))
              .withAddress(HOST, 0, false)
              .withEventLoops(1);
      try (Gateway gateway = Gateway.start(settings, store);
          KeepAliveCallers direct = new KeepAliveCallers(service.actualPort());
          KeepAliveCallers proxied = new KeepAliveCallers(bare.actualPort());
          KeepAliveCallers guarded = new KeepAliveCallers(gateway.port())) {
        race(out, direct, proxied, guarded);
      }
    } finally {
      vertx.close().await();
    }
  }

  private static void race(
      Findings out, KeepAliveCallers direct, KeepAliveCallers proxied, KeepAliveCallers guarded)
      throws Exception {
    Race race =
        new Race(
            CALLERS, Thread.ofVirtual().name("bench-", 0).factory(), Duration.ofSeconds(3), out);
    Race.Contender bare = n -> proxied.pay("");
    race.run("gateway, without a key", n -> guarded.pay(""), "bare proxy", bare, 0.8);
    race.run("gateway, a new key each", n -> guarded.pay("key-" + n), "bare proxy", bare, 0.5);
    race.run("gateway, the same key", n -> guarded.pay("same"), "bare proxy", bare, 0.8);
    race.run("gateway, without a key", n -> guarded.pay(""), "direct", n -> direct.pay(""), 0.3);
    race.run(
        "gateway, a new key each",
        n -> guarded.pay("key-" + n),
        "direct",
        n -> direct.pay(""),
        0.2);
    race.run("bare proxy", bare, "direct", n -> direct.pay(""), 0.3);
  }

  private static HttpServer await(HttpServer server) {
    return server.listen(0, HOST).await();
  }

  private static void serve(HttpServerRequest request) {
    request
        .body()
        .onSuccess(
            body ->
                request
                    .response()
                    .setStatusCode(201)
                    .putHeader("Content-Type", "application/json")
                    .putHeader("Location", "/payments/1")
                    .end("{\"payment\":1}"));
  }

  private static HttpServer bareProxy(Vertx vertx, int port) {
    HttpClient client =
        vertx.createHttpClient(
            new HttpClientOptions().setTcpNoDelay(true),
            new PoolOptions().setHttp1MaxSize(CONNECTIONS));
    return vertx
        .createHttpServer()
        .requestHandler(
            request -> {
              request.pause();
              client
                  .request(
                      new RequestOptions()
                          .setMethod(request.method())
                          .setHost(HOST)
                          .setPort(port)
                          .setURI(request.uri())
                          .setHeaders(request.headers()))
                  .compose(call -> call.send(request))
                  .onSuccess(
                      answer -> {
                        request.response().setStatusCode(answer.statusCode());
                        request.response().headers().addAll(answer.headers());
                        answer.pipeTo(request.response());
                      });
            });
  }
}
