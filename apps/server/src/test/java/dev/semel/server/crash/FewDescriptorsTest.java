package dev.semel.server.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.semel.proof.fault.ChildJvm;
import dev.semel.server.RawClient;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A server keeps listening, however many callers connect and however few descriptors it has. */
@Tag("service")
class FewDescriptorsTest {
  private static final int DESCRIPTORS = 256;

  @TempDir Path folder;

  private int port;

  private ChildJvm start(String kind) {
    Path file = folder.resolve("port");
    ChildJvm child =
        ChildJvm.limited(
            DESCRIPTORS,
            FewDescriptorsChild.class,
            folder.resolve("child.log"),
            kind,
            file.toString());
    await().until(() -> Files.exists(file) || !child.alive());
    try {
      port = Integer.parseInt(Files.readString(file));
    } catch (IOException e) {
      throw new AssertionError(child.state(), e);
    }
    return child;
  }

  /** The whole answer; empty: there is none. */
  private String get(String path) {
    try (RawClient client = new RawClient(port)) {
      client.send(
          "GET %s HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".formatted(path));
      return client.rest();
    } catch (IOException e) {
      return "";
    }
  }

  private List<Socket> connect(int count) throws IOException {
    List<Socket> open = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      open.add(new Socket(InetAddress.getLoopbackAddress(), port));
    }
    return open;
  }

  private static void close(List<Socket> open) throws IOException {
    for (Socket socket : open) {
      socket.close();
    }
  }

  @ParameterizedTest
  @CsvSource({"serve,/", "gateway,/.semel/"})
  void fourHundredIdleConnectionsKeepNobodyOut(String kind, String root) throws IOException {
    try (ChildJvm child = start(kind)) {
      assertThat(get(root + "readyz")).startsWith("HTTP/1.1 200 ");
      List<Socket> idle = connect(400);
      await()
          .untilAsserted(
              () ->
                  assertThat(get(root + "readyz"))
                      .startsWith("HTTP/1.1 503 ")
                      .contains("the limit of connections is reached"));
      assertThat(get(root + "healthz")).startsWith("HTTP/1.1 200 ");
      close(idle);
      await().untilAsserted(() -> assertThat(get(root + "readyz")).startsWith("HTTP/1.1 200 "));
      assertThat(child.output()).isEmpty();
    }
  }

  /** The reserve is used up too, and the first message is logged then. */
  @ParameterizedTest
  @CsvSource({"serve,/", "gateway,/.semel/"})
  void whereNothingCanBeAcceptedItIsTriedAgain(String kind, String root) throws IOException {
    try (ChildJvm child = start(kind)) {
      assertThat(get(root + "readyz")).startsWith("HTTP/1.1 200 ");
      child.tell("take");
      await().until(() -> child.output().contains("take done"));
      List<Socket> waiting = connect(20);
      await().untilAsserted(() -> assertThat(child.output()).contains("can't be accepted"));
      child.tell("give");
      close(waiting);
      await().untilAsserted(() -> assertThat(get(root + "healthz")).startsWith("HTTP/1.1 200 "));
      assertThat(child.output())
          .contains("Too many open files")
          .containsOnlyOnce("can't be accepted");
      if (kind.equals("gateway")) {
        assertThat(get(root + "metrics")).containsPattern("semel_http_accepts_failed_total [1-9]");
      }
    }
  }
}
