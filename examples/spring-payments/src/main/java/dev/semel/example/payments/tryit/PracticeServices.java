package dev.semel.example.payments.tryit;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.semel.http.HttpHeader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;

/**
 * A card processor and a mail service for practice. They do everything they are asked to, and close
 * the connection without an answer when the order is called "lost".
 */
final class PracticeServices {
  private PracticeServices() {}

  /** Starts both on a free port; they run until the process ends. */
  static String start() throws IOException {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/charges", exchange -> done(exchange, "card processor: charged"));
    server.createContext("/mails", exchange -> done(exchange, "mail service: mailed"));
    server.start();
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  private static void done(HttpExchange exchange, String what) throws IOException {
    try (exchange) {
      String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
      String key = exchange.getRequestHeaders().getFirst(HttpHeader.KEY);
      System.out.println(what + " " + body + " for " + key);
      if (!body.contains("\"lost\"")) {
        byte[] reference = "practice-1".getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(201, reference.length);
        exchange.getResponseBody().write(reference);
      }
    }
  }
}
