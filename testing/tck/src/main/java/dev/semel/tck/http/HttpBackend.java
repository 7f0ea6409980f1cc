package dev.semel.tck.http;

import dev.semel.http.HttpHeader;
import dev.semel.internal.Ids;
import java.io.IOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * The service behind a front under test. It does not know idempotency keys. This class is the
 * behaviour without a server: a front in Java passes requests to it, a server in another language
 * implements the same:
 *
 * <ul>
 *   <li>{@code GET /executions?path=P}: 200, {@code text/plain}, in decimal digits how many
 *       requests for the path P began so far. P is percent-encoded and has no query.
 *   <li>{@code GET /open?gate=G}: 204. Opens the gate G for all requests that wait there, and for
 *       later ones.
 * </ul>
 *
 * <p>Every other request is an execution, whatever its method. It reads the whole body, counts for
 * its path (without the query): <em>n</em> is 1 for the first. Then, if the request has the header
 * {@code X-Gate: G}, it waits until that gate is open, at most 30 seconds; if it has {@code X-Wait:
 * M}, it waits M milliseconds. Then it answers, by path:
 *
 * <ul>
 *   <li>{@code /charge} and {@code /refund}: 201 with {@code Content-Type: application/json},
 *       {@code Location: PATH/n}, {@code ETag: "n"}, {@code Set-Cookie: session=n}, {@code
 *       X-Number: n}, {@code Content-Length}, and {@code {"number":n,"bytes":b,"sha256":"h"}}: the
 *       length and the hash (lower case, in hex) of the request's body.
 *   <li>{@code /status/CODE}: that status with {@code ETag: "n"}; {@code Content-Type: text/plain}
 *       and the body {@code CODE n}, but neither for 204.
 *   <li>{@code /large?bytes=B}: 200 with {@code Content-Type: application/octet-stream}, {@code
 *       Content-Length}, {@code ETag: "n"}, and B bytes, of which byte i (from 0) is i mod 251.
 *   <li>{@code /chunked?bytes=B}: the same without {@code Content-Length}, in pieces of at most
 *       1000 bytes.
 *   <li>{@code /stream?pieces=N}: 200 with {@code Content-Type: text/event-stream}, without {@code
 *       Content-Length}; N pieces of which piece i (from 1) is {@code data: n.i} and two line
 *       feeds, each sent at once. Here the gate stands between the first and the second piece.
 *   <li>anything else: 404 with an empty body.
 * </ul>
 *
 * <p>A client that is gone does not stop it. Safe for use by many threads.
 */
public final class HttpBackend {
  private static final int PIECE = 1000;
  private static final long LONGEST_WAIT_SECONDS = 30;

  private final Map<String, AtomicLong> executions = new ConcurrentHashMap<>();
  private final Map<String, CountDownLatch> gates = new ConcurrentHashMap<>();

  /**
   * A request with its whole body.
   *
   * @param query without the question mark; empty where there is none
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  public record Call(
      String method,
      String path,
      String query,
      Function<String, Optional<String>> header,
      byte[] body) {
    private String parameter(String name) {
      return Stream.of(query.split("&", -1))
          .filter(pair -> pair.startsWith(name + "="))
          .map(pair -> pair.substring(name.length() + 1))
          .map(value -> URLDecoder.decode(value, StandardCharsets.UTF_8))
          .findFirst()
          .orElse("");
    }
  }

  /** Receives the answer. */
  public interface Reply {
    /**
     * Starts the answer; called once, before the pieces.
     *
     * @param length empty: unknown, so without {@code Content-Length}
     */
    void head(int status, List<HttpHeader> headers, OptionalLong length) throws IOException;

    /** Sends a piece at once. */
    void piece(byte[] bytes) throws IOException;
  }

  /** Answers one call; the answer is complete when this method returns. */
  public void handle(Call call, Reply reply) throws IOException {
    if (call.method().equals("GET") && call.path().equals("/executions")) {
      whole(reply, 200, List.of(text()), Long.toString(count(call.parameter("path")).get()));
    } else if (call.method().equals("GET") && call.path().equals("/open")) {
      gate(call.parameter("gate")).countDown();
      whole(reply, 204, List.of(), "");
    } else {
      execute(call, reply);
    }
  }

  /** How many requests for this path have started. */
  public long executions(String path) {
    return count(path).get();
  }

  private void execute(Call call, Reply reply) throws IOException {
    long n = count(call.path()).incrementAndGet();
    if (call.path().equals("/stream")) {
      stream(call, reply, n);
      return;
    }
    waitAtGate(call);
    call.header().apply("X-Wait").ifPresent(millis -> pause(Long.parseLong(millis)));
    HttpHeader etag = new HttpHeader("ETag", "\"" + n + "\"");
    switch (call.path()) {
      case "/charge", "/refund" ->
          whole(
              reply,
              201,
              List.of(
                  new HttpHeader("Content-Type", "application/json"),
                  new HttpHeader("Location", call.path() + "/" + n),
                  etag,
                  new HttpHeader("Set-Cookie", "session=" + n),
                  new HttpHeader("X-Number", Long.toString(n))),
              "{\"number\":%d,\"bytes\":%d,\"sha256\":\"%s\"}"
                  .formatted(n, call.body().length, Ids.sha256Hex(call.body())));
      case "/large", "/chunked" -> bytes(call, reply, etag);
      default -> status(call.path(), reply, n, etag);
    }
  }

  private static void status(String path, Reply reply, long n, HttpHeader etag) throws IOException {
    if (!path.matches("/status/\\d{3}")) {
      whole(reply, 404, List.of(), "");
      return;
    }
    int status = Integer.parseInt(path.substring("/status/".length()));
    if (status == 204) {
      whole(reply, status, List.of(etag), "");
    } else {
      whole(reply, status, List.of(text(), etag), status + " " + n);
    }
  }

  private static void bytes(Call call, Reply reply, HttpHeader etag) throws IOException {
    byte[] all = new byte[Integer.parseInt(call.parameter("bytes"))];
    for (int i = 0; i < all.length; i++) {
      all[i] = (byte) (i % 251);
    }
    boolean known = call.path().equals("/large");
    reply.head(
        200,
        List.of(new HttpHeader("Content-Type", "application/octet-stream"), etag),
        known ? OptionalLong.of(all.length) : OptionalLong.empty());
    for (int from = 0; from < all.length; from += PIECE) {
      int length = Math.min(PIECE, all.length - from);
      byte[] piece = new byte[length];
      System.arraycopy(all, from, piece, 0, length);
      reply.piece(piece);
    }
  }

  private void stream(Call call, Reply reply, long n) throws IOException {
    List<HttpHeader> headers = new ArrayList<>();
    headers.add(new HttpHeader("Content-Type", "text/event-stream"));
    reply.head(200, headers, OptionalLong.empty());
    int pieces = Integer.parseInt(call.parameter("pieces"));
    for (int i = 1; i <= pieces; i++) {
      if (i == 2) {
        waitAtGate(call);
      }
      reply.piece("data: %d.%d\n\n".formatted(n, i).getBytes(StandardCharsets.UTF_8));
    }
  }

  private static void whole(Reply reply, int status, List<HttpHeader> headers, String body)
      throws IOException {
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    reply.head(status, headers, OptionalLong.of(bytes.length));
    if (bytes.length > 0) {
      reply.piece(bytes);
    }
  }

  private static HttpHeader text() {
    return new HttpHeader("Content-Type", "text/plain");
  }

  private AtomicLong count(String path) {
    return executions.computeIfAbsent(path, p -> new AtomicLong());
  }

  private CountDownLatch gate(String name) {
    return gates.computeIfAbsent(name, g -> new CountDownLatch(1));
  }

  private void waitAtGate(Call call) {
    call.header().apply("X-Gate").ifPresent(name -> await(gate(name), LONGEST_WAIT_SECONDS * 1000));
  }

  private static void pause(long millis) {
    await(new CountDownLatch(1), millis);
  }

  private static void await(CountDownLatch latch, long millis) {
    try {
      boolean ignored = latch.await(millis, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
