package dev.semel.server.subscription;

import dev.semel.json.Json;
import dev.semel.json.JsonValue.JsonObject;
import dev.semel.server.subscription.internal.rules.JsonFields;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A receiver of webhooks. */
final class Receiver implements AutoCloseable {
  /** A received webhook. */
  record Received(String signature, String text, String path) {
    byte[] raw() {
      return text.getBytes(StandardCharsets.UTF_8);
    }

    JsonFields body() {
      return JsonFields.of(Json.parse(text), "the webhook");
    }

    long generation() {
      return body().number("generation");
    }

    String wake() {
      return body().text("wake_id");
    }

    JsonFields stream(String path) {
      return body().list("streams").stream()
          .map(value -> new JsonFields((JsonObject) value))
          .filter(stream -> stream.text("path").equals(path))
          .findFirst()
          .orElseThrow(() -> new AssertionError("nothing of " + path));
    }
  }

  private final HttpServer server;
  private final LinkedBlockingQueue<Received> received = new LinkedBlockingQueue<>();
  private volatile int status = 200;
  private volatile String answer = "";
  private volatile boolean silent;
  private volatile String location = "";

  Receiver(Vertx vertx) {
    this(vertx, new HttpServerOptions());
  }

  Receiver(Vertx vertx, HttpServerOptions options) {
    server =
        Harness.now(
            vertx
                .createHttpServer(options)
                .requestHandler(request -> request.body().onSuccess(body -> hear(request, body)))
                .listen(0, "127.0.0.1"));
  }

  /** Chooses the answer before any test sees the request; a test may change it afterwards. */
  private void hear(HttpServerRequest request, Buffer body) {
    HttpServerResponse response = request.response().setStatusCode(status);
    String text = answer;
    boolean answers = !silent;
    if (!location.isEmpty()) {
      response.putHeader("location", location);
    }
    received.add(
        new Received(
            String.valueOf(request.getHeader("webhook-signature")),
            body.toString(),
            String.valueOf(request.path())));
    if (answers) {
      response.end(text);
    }
  }

  int port() {
    return server.actualPort();
  }

  String url() {
    return "http://127.0.0.1:%d/hook".formatted(port());
  }

  Receiver answers(int code, String body) {
    status = code;
    answer = body;
    return this;
  }

  void redirectsTo(String url) {
    status = 307;
    location = url;
  }

  void silent(boolean on) {
    silent = on;
  }

  Received next() {
    return next(Duration.ofSeconds(20));
  }

  Received next(Duration patience) {
    try {
      Received next = received.poll(patience.toMillis(), TimeUnit.MILLISECONDS);
      if (next == null) {
        throw new AssertionError("no webhook came");
      }
      return next;
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** Number of webhooks that no test has taken yet. */
  int waiting() {
    return received.size();
  }

  @Override
  public void close() {
    Harness.now(server.close());
  }
}
