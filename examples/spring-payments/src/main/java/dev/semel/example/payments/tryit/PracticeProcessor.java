package dev.semel.example.payments.tryit;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.semel.http.HttpHeader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;

/** Charges every card, and hangs up without a word when the order is called "lost". */
final class PracticeProcessor {
  private PracticeProcessor() {}

  /** Starts one on a free port; it runs until the process ends. */
  static URI start() throws IOException {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/charges", PracticeProcessor::charge);
    server.start();
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/charges");
  }

  private static void charge(HttpExchange exchange) throws IOException {
    try (exchange) {
      String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
      System.out.println(
          "card processor: charged "
              + body
              + " for "
              + exchange.getRequestHeaders().getFirst(HttpHeader.KEY));
      if (!body.contains("\"lost\"")) {
        byte[] reference = "practice-1".getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(201, reference.length);
        exchange.getResponseBody().write(reference);
      }
    }
  }
}
