package dev.semel.example.webhook;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.semel.webhook.WebhookSender;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * A proxy that forwards every request, and loses the first answer to each body, like a bad network.
 */
final class LossyLine implements AutoCloseable {
  private final HttpServer server;
  private final HttpClient client = HttpClient.newHttpClient();
  private final URI receiver;
  private final Set<String> bodies = new HashSet<>();
  private final BlockingQueue<String> told = new LinkedBlockingQueue<>();

  private LossyLine(HttpServer server, URI receiver) {
    this.server = server;
    this.receiver = receiver;
  }

  static LossyLine before(String receiver) throws IOException {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    LossyLine line = new LossyLine(server, URI.create(receiver));
    server.createContext("/", line::pass);
    server.start();
    return line;
  }

  String address() {
    return "http://127.0.0.1:" + server.getAddress().getPort() + "/hook";
  }

  /** Waits for the next event, and describes it. */
  String next() throws InterruptedException {
    return told.take();
  }

  private void pass(HttpExchange exchange) throws IOException {
    try (exchange) {
      byte[] body = exchange.getRequestBody().readAllBytes();
      HttpRequest request =
          HttpRequest.newBuilder(receiver)
              .header(
                  WebhookSender.SIGNATURE,
                  exchange.getRequestHeaders().getFirst(WebhookSender.SIGNATURE))
              .POST(HttpRequest.BodyPublishers.ofByteArray(body))
              .build();
      int status = client.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
      if (bodies.add(new String(body, StandardCharsets.UTF_8))) {
        told.add("answered %d, which is lost on the way".formatted(status));
      } else {
        exchange.sendResponseHeaders(status, -1);
        told.add("sent again, answered %d".formatted(status));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    server.stop(0);
    client.close();
  }
}
