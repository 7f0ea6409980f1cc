package dev.semel.example.payments;

import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.semel.http.HttpHeader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * A card processor or mail service that does everything it is asked to, and remembers the effect
 * keys. The order's name selects other behaviour; it holds only the first call.
 */
final class TestProcessor implements AutoCloseable {
  private final HttpServer server;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final List<String> keys = new CopyOnWriteArrayList<>();
  private final CountDownLatch gate = new CountDownLatch(1);

  private TestProcessor(HttpServer server) {
    this.server = server;
  }

  static TestProcessor start() throws IOException {
    TestProcessor processor =
        new TestProcessor(
            HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0));
    processor.server.setExecutor(processor.threads);
    processor.server.createContext("/calls", processor::charge);
    processor.server.start();
    return processor;
  }

  /** The property with the card processor's address. */
  String property() {
    return "payments.card-processor=" + address();
  }

  /** The property with the mail service's address. */
  String mailProperty() {
    return "payments.mail-service=" + address();
  }

  private String address() {
    return "http://127.0.0.1:%d/calls".formatted(server.getAddress().getPort());
  }

  /** The effect keys of all calls. */
  List<String> keys() {
    return keys;
  }

  void awaitCall() {
    await().until(() -> !keys.isEmpty());
  }

  void answerTheHeld() {
    gate.countDown();
  }

  private void charge(HttpExchange exchange) throws IOException {
    try (exchange) {
      String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
      keys.add(exchange.getRequestHeaders().getFirst(HttpHeader.KEY));
      if (body.contains("held") && keys.size() == 1) {
        gate.await();
      }
      if (body.contains("declined")) {
        exchange.sendResponseHeaders(402, -1);
      } else if (!body.contains("hung up on")) {
        byte[] reference = "reference-%d".formatted(keys.size()).getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(201, reference.length);
        exchange.getResponseBody().write(reference);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    answerTheHeld();
    server.stop(0);
    threads.shutdownNow();
  }
}
