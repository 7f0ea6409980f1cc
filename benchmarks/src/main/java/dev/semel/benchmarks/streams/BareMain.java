package dev.semel.benchmarks.streams;

import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerOptions;

/** The limit: reads the body and answers 204, or sends a file, and does nothing else. */
final class BareMain {
  private BareMain() {}

  public static void main(String[] folder) {
    Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1));
    vertx
        .createHttpServer(new HttpServerOptions().setHost("127.0.0.1").setPort(0))
        .requestHandler(
            request -> {
              if (request.method().equals(HttpMethod.POST)) {
                request.bodyHandler(body -> request.response().setStatusCode(204).end());
              } else {
                request.response().sendFile(folder[0] + request.path());
              }
            })
        .listen()
        .onSuccess(server -> System.out.println(server.actualPort()))
        .onFailure(
            e -> {
              System.err.println("the bare server can't listen: " + e);
              System.exit(1);
            });
  }
}
