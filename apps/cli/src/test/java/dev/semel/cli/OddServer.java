package dev.semel.cli;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Accepts everything, records requests, and answers reads with prepared answers. */
final class OddServer implements AutoCloseable {
  private final HttpServer server;
  private final List<String> requests = new CopyOnWriteArrayList<>();
  private volatile String type = "text/plain";
  private volatile String body = "";
  private volatile int failures;

  OddServer() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::answer);
    server.start();
  }

  String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  OddServer holding(String contentType, String text) {
    type = contentType;
    body = text;
    return this;
  }

  /** Makes the next answers failures. */
  void failing(int times) {
    failures = times;
  }

  /** Method, target, and relevant headers of each. */
  List<String> requests() {
    return requests;
  }

  private synchronized void answer(HttpExchange exchange) throws IOException {
    requests.add(
        "%s %s %s %s"
            .formatted(
                exchange.getRequestMethod(),
                exchange.getRequestURI(),
                exchange.getRequestHeaders().getOrDefault("X-Count", List.of()),
                exchange.getRequestHeaders().getOrDefault("Authorization", List.of())));
    exchange.getRequestBody().readAllBytes();
    exchange.getResponseHeaders().set("Content-Type", type);
    exchange.getResponseHeaders().set("Stream-Next-Offset", "1");
    exchange.getResponseHeaders().set("Stream-Up-To-Date", "true");
    boolean read = exchange.getRequestMethod().equals("GET");
    byte[] bytes = (read ? body : "").getBytes(StandardCharsets.UTF_8);
    int status = failures > 0 ? 500 : 200;
    failures = Math.max(0, failures - 1);
    exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
    try (OutputStream out = exchange.getResponseBody()) {
      out.write(bytes);
    }
    exchange.close();
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
