package dev.semel.server.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;
import dev.semel.proof.fault.ChildJvm;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Executors;

/** A service with answers of a million bytes, behind a gateway in a separate process. */
final class LargeAnswers implements AutoCloseable {
  static final byte[] ANSWER = "x".repeat(1_000_000).getBytes(StandardCharsets.US_ASCII);

  private final HttpServer service;
  private final ChildJvm gateway;
  private final int port;

  LargeAnswers(Path folder) throws IOException {
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
    Path portFile = folder.resolve("gateway-port");
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

  ChildJvm gateway() {
    return gateway;
  }

  /** The gateway's port. */
  int port() {
    return port;
  }

  @Override
  public void close() {
    gateway.close();
    service.stop(0);
  }
}
