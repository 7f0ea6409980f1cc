package dev.semel.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.event.SemelListener;
import dev.semel.http.HttpHeader;
import dev.semel.http.HttpIdempotency;
import dev.semel.http.HttpRefusal;
import dev.semel.http.HttpRules;
import dev.semel.idempotency.Idempotency;
import dev.semel.idempotency.MemoryStore;
import dev.semel.internal.Ids;
import dev.semel.junit.Patience;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
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
import java.util.function.Function;

/** A Jetty with guarded handlers on a store in memory, and a client. */
final class Shop implements AutoCloseable {
  static final HttpRules RULES = HttpRules.of("shop");

  private static final Duration PATIENCE = Patience.LIMIT;

  /** A test's handler. */
  @FunctionalInterface
  interface Handler {
    void handle(HttpServletRequest request, HttpServletResponse response)
        throws IOException, ServletException;
  }

  private final MemoryStore store = new MemoryStore(InstantSource.system());
  private final Idempotency idempotency = new Idempotency(store, SemelListener.NONE);
  private final Jetty jetty = new Jetty();
  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  /** A shop with one handler for all paths. */
  static Shop of(Handler handler) {
    return of(RULES, handler);
  }

  static Shop of(HttpRules rules, Handler handler) {
    return new Shop().guard(rules).serve("/*", handler).open();
  }

  static HttpServlet servlet(Handler handler) {
    return new HttpServlet() {
      private static final long serialVersionUID = 1L;

      @Override
      protected void service(HttpServletRequest request, HttpServletResponse response)
          throws IOException, ServletException {
        handler.handle(request, response);
      }
    };
  }

  Jetty jetty() {
    return jetty;
  }

  Shop guard(HttpRules rules) {
    return guard(rules, filter -> filter);
  }

  Shop guard(HttpRules rules, Function<IdempotencyFilter, IdempotencyFilter> change) {
    jetty.filter(change.apply(new IdempotencyFilter(http(rules))));
    return this;
  }

  HttpIdempotency http(HttpRules rules) {
    return new HttpIdempotency(idempotency, rules);
  }

  Shop serve(String path, Handler handler) {
    jetty.servlet(path, servlet(handler));
    return this;
  }

  Shop open() {
    jetty.start();
    return this;
  }

  /** The number of keys with a record. */
  long records() {
    return store.usage().activeKeys();
  }

  static String freshKey() {
    return Ids.uuid7().toString();
  }

  HttpResponse<byte[]> post(String key) {
    return post(key, "/pay", "text/plain", "10 EUR".getBytes(StandardCharsets.UTF_8));
  }

  /**
   * Posts until the key is no longer in flight: an unknown effect leaves it with the shortest
   * lease.
   */
  HttpResponse<byte[]> postOnceSettled(String key) {
    HttpResponse<byte[]> answer;
    do {
      answer = post(key);
    } while (text(answer).contains(HttpRefusal.IN_FLIGHT.type()));
    return answer;
  }

  HttpResponse<byte[]> post(String key, String target, String type, byte[] body) {
    return send(
        request(key, target)
            .header("Content-Type", type)
            .POST(BodyPublishers.ofByteArray(body))
            .build());
  }

  HttpRequest.Builder request(String key, String target) {
    return HttpRequest.newBuilder(URI.create(jetty.uri() + target))
        .timeout(PATIENCE)
        .header(HttpHeader.KEY, key);
  }

  HttpResponse<byte[]> send(HttpRequest request) {
    try {
      return client.send(request, BodyHandlers.ofByteArray());
    } catch (IOException e) {
      throw new AssertionError("no answer", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted", e);
    }
  }

  static String text(HttpResponse<byte[]> answer) {
    return new String(answer.body(), StandardCharsets.UTF_8);
  }

  static String header(HttpResponse<?> answer, String name) {
    return String.join(" | ", answer.headers().allValues(name));
  }

  /** Checks that the second answer is a replay of the first. */
  static void assertReplayed(HttpResponse<byte[]> first, HttpResponse<byte[]> again) {
    assertThat(header(first, HttpHeader.REPLAYED)).isEmpty();
    assertThat(header(again, HttpHeader.REPLAYED)).isEqualTo("true");
    assertThat(again.statusCode()).isEqualTo(first.statusCode());
    assertThat(again.body()).isEqualTo(first.body());
    for (String name : List.of("Content-Type", "Content-Length", "Location", "ETag", "Vary")) {
      assertThat(header(again, name)).as(name).isEqualTo(header(first, name));
    }
  }

  @Override
  public void close() {
    jetty.close();
    idempotency.close();
  }
}
