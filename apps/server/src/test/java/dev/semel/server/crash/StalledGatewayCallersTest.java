package dev.semel.server.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;
import dev.semel.proof.fault.ChildJvm;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Callers that never read their answers take no memory from others: a gateway with 256 MB. */
@Tag("service")
final class StalledGatewayCallersTest {
  private static final int CALLERS = 700;
  private static final byte[] ANSWER = "x".repeat(1_000_000).getBytes(StandardCharsets.US_ASCII);

  @TempDir Path folder;

  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private HttpServer service;
  private ChildJvm gateway;
  private int port;

  @BeforeEach
  void start() throws Exception {
    service = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 1024);
    service.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    service.createContext(
        "/",
        exchange -> {
          exchange.getRequestBody().readAllBytes();
          exchange.sendResponseHeaders(200, ANSWER.length);
          exchange.getResponseBody().write(ANSWER);
          exchange.close();
        });
    service.start();
    Path portFile = folder.resolve("port");
    gateway =
        ChildJvm.start(
            GatewayChild.class,
            folder.resolve("gateway.log"),
            Integer.toString(service.getAddress().getPort()),
            portFile.toString());
    await().until(() -> Files.exists(portFile) || !gateway.alive());
    assertThat(gateway.alive()).as(gateway.output()).isTrue();
    port = Integer.parseInt(Files.readString(portFile));
  }

  @AfterEach
  void stop() {
    gateway.close();
    service.stop(0);
  }

  @Test
  void ofOneRecordedAnswer() throws Exception {
    assertThat(post("one").body()).hasSize(ANSWER.length);
    try (StalledCallers callers = new StalledCallers(port)) {
      callers.ask(request("one"), CALLERS);
      assertThat(callers.answered()).isEqualTo(CALLERS);
      othersAreServed();
    }
  }

  private void othersAreServed() throws Exception {
    assertThat(health()).isEqualTo(200);
    HttpResponse<byte[]> replayed = post("one");
    assertThat(replayed.statusCode()).isEqualTo(200);
    assertThat(replayed.body()).isEqualTo(ANSWER);
    assertThat(gateway.alive()).as(gateway.output()).isTrue();
    assertThat(gateway.output()).doesNotContain("OutOfMemory", "OutOfDirectMemory");
  }

  private static String request(String key) {
    return "POST /pay HTTP/1.1\r\nHost: localhost\r\nIdempotency-Key: %s\r\nContent-Length: 2\r\n\r\n{}"
        .formatted(key);
  }

  private int health() throws Exception {
    URI uri = URI.create("http://127.0.0.1:%d/.semel/healthz".formatted(port));
    return client.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.discarding()).statusCode();
  }

  private HttpResponse<byte[]> post(String key) throws Exception {
    URI uri = URI.create("http://127.0.0.1:%d/pay".formatted(port));
    return client.send(
        HttpRequest.newBuilder(uri)
            .header("Idempotency-Key", key)
            .POST(BodyPublishers.ofString("{}"))
            .build(),
        BodyHandlers.ofByteArray());
  }
}
