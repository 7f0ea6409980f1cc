package dev.semel.tck.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.http.HttpHeader;
import dev.semel.http.HttpRefusal;
import dev.semel.http.HttpRules;
import dev.semel.idempotency.ExecutionPolicy;
import dev.semel.idempotency.MemoryStore;
import dev.semel.idempotency.spi.Store;
import dev.semel.internal.Ids;
import dev.semel.json.Json;
import dev.semel.json.JsonPointer;
import dev.semel.json.JsonValue;
import java.io.IOException;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Helpers that the parts of the contract share. */
abstract class HttpWords {
  static final HttpRules RULES = HttpRules.of("payments");

  /** After this long an expected event counts as missing. */
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private static final Duration POLL = Duration.ofMillis(5);

  private static final HttpClient CLIENT =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  /** As {@link HttpContract#start}. */
  protected abstract HttpFront start(HttpRules rules, Store store);

  HttpFront start(HttpRules rules) {
    return start(rules, new MemoryStore(InstantSource.system()));
  }

  static String freshKey() {
    return Ids.uuid7().toString();
  }

  /** A payment request with a new key. */
  static ClickedRequest click() {
    return ClickedRequest.post("/charge").key(freshKey());
  }

  static HttpRules with(ExecutionPolicy policy) {
    return RULES.withPolicy(policy);
  }

  static HttpResponse<byte[]> send(HttpFront front, ClickedRequest click) {
    return send(click.at(front.uri()));
  }

  static HttpResponse<byte[]> send(HttpRequest request) {
    try {
      return CLIENT.send(request, BodyHandlers.ofByteArray());
    } catch (IOException e) {
      throw new AssertionError(request.method() + " " + request.uri() + " got no answer", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted", e);
    }
  }

  static CompletableFuture<HttpResponse<byte[]>> sendLater(HttpFront front, ClickedRequest click) {
    return CLIENT.sendAsync(click.at(front.uri()), BodyHandlers.ofByteArray());
  }

  static <T> HttpResponse<T> send(
      HttpFront front, ClickedRequest click, HttpResponse.BodyHandler<T> bodyHandler) {
    try {
      return CLIENT.send(click.at(front.uri()), bodyHandler);
    } catch (IOException e) {
      throw new AssertionError(click.target() + " got no answer", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted", e);
    }
  }

  static HttpResponse<byte[]> get(CompletableFuture<HttpResponse<byte[]>> answer) {
    try {
      return answer.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    } catch (Exception e) {
      throw new AssertionError("no answer", e);
    }
  }

  /** How many requests for this path the backend has started; asked through the front. */
  static long executions(HttpFront front, String path) {
    String encoded = URLEncoder.encode(path, StandardCharsets.UTF_8);
    return Long.parseLong(text(ask(front, "/executions?path=" + encoded)));
  }

  static void open(HttpFront front, String gate) {
    ask(front, "/open?gate=" + gate);
  }

  private static HttpResponse<byte[]> ask(HttpFront front, String target) {
    HttpResponse<byte[]> answer = send(front, ClickedRequest.post(target).by("GET").body(""));
    assertThat(answer.statusCode()).as(target).isBetween(200, 204);
    return answer;
  }

  static void eventually(String what, BooleanSupplier happened) {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (!happened.getAsBoolean()) {
      assertThat(System.nanoTime() - deadline).as("time left until " + what).isNegative();
      LockSupport.parkNanos(POLL.toNanos());
    }
  }

  /** Waits until the first request is running; it stays so while the gate is closed. */
  static void eventuallyExecuting(HttpFront front, String path) {
    eventually("the backend is at work", () -> executions(front, path) > 0);
  }

  static String text(HttpResponse<byte[]> answer) {
    return new String(answer.body(), StandardCharsets.UTF_8);
  }

  static String header(HttpResponse<?> answer, String name) {
    return answer.headers().firstValue(name).orElse("");
  }

  static boolean isReplay(HttpResponse<?> answer) {
    return header(answer, HttpHeader.REPLAYED).equals("true");
  }

  static void assertExecuted(HttpResponse<?> answer, int status) {
    assertThat(answer.statusCode()).isEqualTo(status);
    assertThat(answer.headers().firstValue(HttpHeader.REPLAYED)).isEmpty();
  }

  static void assertReplays(HttpResponse<byte[]> first, HttpResponse<byte[]> again) {
    assertThat(again.statusCode()).isEqualTo(first.statusCode());
    assertThat(again.body()).isEqualTo(first.body());
    assertThat(header(again, "ETag")).isEqualTo(header(first, "ETag"));
    assertThat(header(again, "Content-Type")).isEqualTo(header(first, "Content-Type"));
    assertThat(header(again, HttpHeader.REPLAYED)).isEqualTo("true");
  }

  /** Checks for a problem document with this reason and status. */
  static void assertRefused(HttpResponse<byte[]> answer, HttpRefusal why, int status) {
    assertThat(text(answer)).as("%s", answer.request().headers()).contains(why.type());
    assertThat(answer.statusCode()).isEqualTo(status);
    assertThat(header(answer, "Content-Type")).startsWith("application/problem+json");
    assertThat(header(answer, "Cache-Control")).contains("no-store");
    JsonValue problem = Json.parse(answer.body());
    assertThat(JsonPointer.parse("/type").in(problem)).contains(JsonValue.of(why.type()));
    assertThat(JsonPointer.parse("/title").in(problem)).isPresent();
    assertThat(JsonPointer.parse("/detail").in(problem)).isPresent();
    assertThat(JsonPointer.parse("/status").in(problem)).contains(JsonValue.of(status));
    assertThat(answer.headers().firstValue(HttpHeader.REPLAYED)).isEmpty();
  }

  static boolean inFlight(HttpResponse<byte[]> answer) {
    return text(answer).contains(HttpRefusal.IN_FLIGHT.type());
  }

  /** Checks for the IETF draft's answer to a request in flight. */
  static void assertInFlight(HttpResponse<byte[]> answer) {
    assertRefused(answer, HttpRefusal.IN_FLIGHT, 409);
    assertThat(Long.parseLong(header(answer, "Retry-After"))).isBetween(1L, 30L);
  }
}
