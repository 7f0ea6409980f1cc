package dev.semel.tck.http;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.semel.Tenant;
import dev.semel.event.SemelListener;
import dev.semel.http.HttpHeader;
import dev.semel.http.HttpIdempotency;
import dev.semel.http.HttpRules;
import dev.semel.http.spi.BodyDecision;
import dev.semel.http.spi.CallerTenants;
import dev.semel.http.spi.GuardedRequest;
import dev.semel.http.spi.HeadDecision;
import dev.semel.http.spi.HttpAnswer;
import dev.semel.http.spi.HttpRequest;
import dev.semel.http.spi.HttpResponse;
import dev.semel.idempotency.Idempotency;
import dev.semel.idempotency.spi.Store;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/** As little of a front as there can be: a guarded answer is gathered, recorded, and then sent. */
final class JdkFront implements HttpFront {
  private static final int WAITING_CONNECTIONS = 1000;

  private final HttpBackend backend = new HttpBackend();
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final HttpServer server;
  private final Idempotency idempotency;
  private final HttpIdempotency http;

  JdkFront(HttpRules rules, Store store) {
    idempotency = new Idempotency(store, SemelListener.NONE);
    http = new HttpIdempotency(idempotency, rules);
    try {
      server =
          HttpServer.create(
              new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), WAITING_CONNECTIONS);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    server.setExecutor(threads);
    server.createContext("/", this::handle);
    server.start();
  }

  @Override
  public URI uri() {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
  }

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      HttpRequest head = head(exchange);
      switch (http.look(head)) {
        case HeadDecision.Pass pass -> pass(exchange, exchange.getRequestBody().readAllBytes());
        case HeadDecision.Refused refused -> send(exchange, refused.answer());
        case HeadDecision.NeedsBody needsBody -> read(exchange, needsBody);
      }
    }
  }

  private static HttpRequest head(HttpExchange exchange) {
    String authorization = exchange.getRequestHeaders().getFirst("Authorization");
    String query = exchange.getRequestURI().getRawQuery();
    return new HttpRequest(
        authorization == null ? Tenant.DEFAULT : CallerTenants.hashed(authorization),
        exchange.getRequestMethod(),
        exchange.getRequestURI().getRawPath(),
        query == null ? "" : query,
        name -> exchange.getRequestHeaders().getOrDefault(name, List.of()));
  }

  private void read(HttpExchange exchange, HeadDecision.NeedsBody needsBody) throws IOException {
    byte[] body = exchange.getRequestBody().readNBytes(needsBody.maxBytes() + 1);
    if (body.length > needsBody.maxBytes()) {
      send(exchange, http.tooLarge());
      return;
    }
    switch (http.read(needsBody, body)) {
      case BodyDecision.Pass pass -> pass(exchange, body);
      case BodyDecision.Refused refused -> send(exchange, refused.answer());
      case BodyDecision.Ready ready -> execute(exchange, ready.guarded(), body);
    }
  }

  private void pass(HttpExchange exchange, byte[] body) throws IOException {
    backend.handle(call(exchange, body), new Sent(exchange, List.of()));
  }

  private void execute(HttpExchange exchange, GuardedRequest guarded, byte[] body)
      throws IOException {
    Gathered gathered = new Gathered(exchange, guarded);
    HttpAnswer answer =
        http.execute(
            guarded,
            execution -> {
              backend.handle(call(exchange, body), gathered);
              return gathered.response(http.rules());
            });
    switch (answer.kind()) {
      case EXECUTED -> gathered.send(answer.added());
      case REPLAYED, REFUSED -> send(exchange, answer);
    }
  }

  private static HttpBackend.Call call(HttpExchange exchange, byte[] body) {
    HttpRequest head = head(exchange);
    return new HttpBackend.Call(
        head.method(),
        head.path(),
        head.query(),
        name -> Optional.ofNullable(exchange.getRequestHeaders().getFirst(name)),
        body);
  }

  private static void send(HttpExchange exchange, HttpAnswer answer) throws IOException {
    Sent sent = new Sent(exchange, answer.added());
    HttpResponse response = answer.response();
    sent.head(response.status(), response.headers(), OptionalLong.of(response.body().length));
    sent.piece(response.body());
  }

  /** Straight to the client. */
  private record Sent(HttpExchange exchange, List<HttpHeader> added) implements HttpBackend.Reply {
    @Override
    public void head(int status, List<HttpHeader> headers, OptionalLong length) throws IOException {
      headers.forEach(h -> exchange.getResponseHeaders().add(h.name(), h.value()));
      added.forEach(h -> exchange.getResponseHeaders().set(h.name(), h.value()));
      long known = length.orElse(0);
      exchange.sendResponseHeaders(status, length.isPresent() && known == 0 ? -1 : known);
    }

    @Override
    public void piece(byte[] bytes) throws IOException {
      if (bytes.length > 0) {
        OutputStream out = exchange.getResponseBody();
        out.write(bytes);
        out.flush();
      }
    }
  }

  /** Kept back until it is recorded, unless it is a stream. */
  private static final class Gathered implements HttpBackend.Reply {
    private final HttpExchange exchange;
    private final Sent client;
    private final ByteArrayOutputStream body = new ByteArrayOutputStream();
    private int status;
    private List<HttpHeader> headers = List.of();
    private boolean streamed;
    private @Nullable IOException gone;

    Gathered(HttpExchange exchange, GuardedRequest guarded) {
      this.exchange = exchange;
      this.client = new Sent(exchange, guarded.added());
    }

    @Override
    public void head(int status, List<HttpHeader> headers, OptionalLong length) {
      this.status = status;
      this.headers = headers;
      this.streamed =
          headers.stream()
              .filter(h -> h.name().equals("Content-Type"))
              .anyMatch(h -> HttpRules.streamed(h.value()));
      if (streamed) {
        toClient(() -> client.head(status, headers, length));
      }
    }

    @Override
    public void piece(byte[] bytes) {
      if (streamed) {
        toClient(() -> client.piece(bytes));
      } else {
        body.writeBytes(bytes);
      }
    }

    private interface Step {
      void run() throws IOException;
    }

    private void toClient(Step step) {
      if (gone == null) {
        try {
          step.run();
        } catch (IOException e) {
          gone = e;
        }
      }
    }

    HttpResponse response(HttpRules rules) {
      if (streamed) {
        return HttpResponse.notKept(status);
      }
      List<HttpHeader> kept = new ArrayList<>(headers);
      kept.removeIf(header -> !rules.replayedHeaders().contains(header.name()));
      return new HttpResponse(status, kept, body.toByteArray());
    }

    void send(List<HttpHeader> added) throws IOException {
      if (!streamed) {
        Sent sent = new Sent(exchange, added);
        sent.head(status, headers, OptionalLong.of(body.size()));
        sent.piece(body.toByteArray());
      }
    }
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
    idempotency.close();
  }
}
