package dev.semel.cli;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.semel.http.HttpHeader;
import dev.semel.tck.http.HttpBackend;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * The service behind a gateway: {@link HttpBackend} on a port, and beside it {@code /swallow},
 * which counts the bytes of a body, and {@code /pour?N}, which sends N mebibytes.
 */
final class BackendServer implements AutoCloseable {
  private final HttpBackend backend = new HttpBackend();
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final HttpServer server;

  BackendServer() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 1024);
    server.setExecutor(threads);
    server.createContext("/", this::answer);
    server.createContext("/swallow", BackendServer::swallow);
    server.createContext("/pour", BackendServer::pour);
    server.start();
  }

  String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  long executions(String path) {
    return backend.executions(path);
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      String query = exchange.getRequestURI().getRawQuery();
      backend.handle(
          new HttpBackend.Call(
              exchange.getRequestMethod(),
              exchange.getRequestURI().getPath(),
              query == null ? "" : query,
              name -> Optional.ofNullable(exchange.getRequestHeaders().getFirst(name)),
              exchange.getRequestBody().readAllBytes()),
          new Answer(exchange));
    }
  }

  private static void swallow(HttpExchange exchange) throws IOException {
    try (exchange) {
      long length = exchange.getRequestBody().transferTo(OutputStream.nullOutputStream());
      byte[] body = Long.toString(length).getBytes(StandardCharsets.US_ASCII);
      exchange.sendResponseHeaders(200, body.length);
      exchange.getResponseBody().write(body);
    }
  }

  private static void pour(HttpExchange exchange) throws IOException {
    try (exchange) {
      byte[] mebibyte = new byte[1 << 20];
      exchange.sendResponseHeaders(200, 0);
      for (int i = Integer.parseInt(exchange.getRequestURI().getQuery()); i > 0; i--) {
        exchange.getResponseBody().write(mebibyte);
      }
    }
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }

  private record Answer(HttpExchange exchange) implements HttpBackend.Reply {
    @Override
    public void head(int status, List<HttpHeader> headers, OptionalLong length) throws IOException {
      headers.forEach(header -> exchange.getResponseHeaders().add(header.name(), header.value()));
      long known = length.orElse(0); // which means unknown to this server
      exchange.sendResponseHeaders(status, length.isPresent() && known == 0 ? -1 : known);
    }

    @Override
    public void piece(byte[] bytes) throws IOException {
      exchange.getResponseBody().write(bytes);
      exchange.getResponseBody().flush();
    }
  }
}
