package dev.semel.server.gateway;

import dev.semel.junit.TestProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A service in JavaScript without keys, in a separate process. */
final class NodeBackend implements AutoCloseable {
  private static final Path SOURCE = Path.of("src", "test", "resources", "gateway", "backend.cjs");
  private static final HttpClient CLIENT =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  private final TestProcess process;
  private final int port;

  private NodeBackend(TestProcess process, int port) {
    this.process = process;
    this.port = port;
  }

  static NodeBackend start() {
    return start(0);
  }

  static NodeBackend start(int port) {
    TestProcess process =
        TestProcess.start(List.of("node", SOURCE.toString(), Integer.toString(port)));
    return new NodeBackend(process, Integer.parseInt(process.awaitLine("[0-9]+")));
  }

  int port() {
    return port;
  }

  Upstream upstream() {
    return Upstream.parse("http://127.0.0.1:" + port);
  }

  /** Asks the backend directly, past the gateway. */
  String get(String path) {
    try {
      return CLIENT
          .send(
              HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path)).build(),
              BodyHandlers.ofString())
          .body();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }

  long executions(String path) {
    return Long.parseLong(get("/executions?path=" + path));
  }

  /**
   * @param what connections, requests, or received (bytes)
   */
  long seen(String what) {
    Matcher m = Pattern.compile("\"" + what + "\":(\\d+)").matcher(get("/seen"));
    if (!m.find()) {
      throw new AssertionError(what);
    }
    return Long.parseLong(m.group(1));
  }

  void kill() {
    process.kill();
  }

  @Override
  public void close() {
    process.close();
  }
}
