package dev.semel.server.client;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Gives prepared answers, one for each request, and records the requests. */
final class StrangeServer implements AutoCloseable {
  private record Answer(int status, String body, List<String> headers) {}

  /** Method and address, and two headers. */
  record Asked(String what, String token, String trace) {}

  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final HttpServer server;
  private final Queue<Answer> answers = new ConcurrentLinkedQueue<>();
  private final List<Asked> asked = new CopyOnWriteArrayList<>();

  StrangeServer() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(threads);
    server.createContext("/", this::handle);
    server.start();
  }

  URI url(String path) {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + path);
  }

  /** Headers: names and values in turn. */
  StrangeServer answers(int status, String body, String... headers) {
    answers.add(new Answer(status, body, List.of(headers)));
    return this;
  }

  /** A page of JSON. */
  StrangeServer page(String body, String next, String... headers) {
    String[] all = new String[headers.length + 4];
    all[0] = "Content-Type";
    all[1] = "application/json";
    all[2] = "Stream-Next-Offset";
    all[3] = next;
    System.arraycopy(headers, 0, all, 4, headers.length);
    return answers(200, body, all);
  }

  StrangeServer events(String body) {
    return answers(200, body, "Content-Type", "text/event-stream");
  }

  List<Asked> asked() {
    return List.copyOf(asked);
  }

  List<String> questions() {
    return asked.stream().map(Asked::what).toList();
  }

  private void handle(HttpExchange exchange) throws IOException {
    asked.add(
        new Asked(
            exchange.getRequestMethod() + ' ' + exchange.getRequestURI(),
            String.valueOf(exchange.getRequestHeaders().getFirst("Authorization")),
            String.valueOf(exchange.getRequestHeaders().getFirst("Trace"))));
    Answer answer = answers.poll();
    if (answer == null) {
      answer = new Answer(400, "nobody should have asked", List.of());
    }
    for (int i = 0; i < answer.headers().size(); i += 2) {
      exchange.getResponseHeaders().add(answer.headers().get(i), answer.headers().get(i + 1));
    }
    byte[] body = answer.body().getBytes(StandardCharsets.UTF_8);
    boolean head = exchange.getRequestMethod().equals("HEAD") || answer.status() == 204;
    exchange.sendResponseHeaders(answer.status(), head ? -1 : 0);
    if (!head) {
      try (OutputStream out = exchange.getResponseBody()) {
        out.write(body);
      }
    }
    exchange.close();
  }

  @Override
  public void close() {
    server.stop(0);
    threads.close();
  }
}
