package dev.semel.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** What only a gateway in a separate process shows: a kill, a signal, and a small memory. */
@Tag("service")
@EnabledOnOs({OS.LINUX, OS.MAC})
class GatewayProcessTest {
  private static final Pattern ADDRESS =
      Pattern.compile(
          "guarding http://127\\.0\\.0\\.1:\\d+ on (http://127\\.0\\.0\\.1:(\\d+)), keys");

  /** More than the gateway's heap and its buffers together. */
  private static final int MEBIBYTES = 400;

  @TempDir Path folder;
  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final List<SemelProcess> started = new ArrayList<>();
  private BackendServer service;

  private record Guarding(SemelProcess process, String url, int port) {}

  @BeforeEach
  void startService() throws IOException {
    service = new BackendServer();
  }

  @AfterEach
  void endAll() throws InterruptedException {
    for (SemelProcess process : started) {
      process.kill();
    }
    service.close();
  }

  private Guarding gateway(String... more) throws IOException {
    List<String> args = new ArrayList<>(List.of("gateway", "--upstream", service.url()));
    args.addAll(List.of("--port", "0"));
    args.addAll(List.of(more));
    SemelProcess process = SemelProcess.piped(folder, Map.of(), args.toArray(new String[0]));
    started.add(process);
    soon(() -> !process.isAlive() || ADDRESS.matcher(process.errSoFar()).find());
    Matcher address = ADDRESS.matcher(process.errSoFar());
    assertThat(address.find()).as(process.errSoFar()).isTrue();
    return new Guarding(process, address.group(1), Integer.parseInt(address.group(2)));
  }

  private static void soon(Callable<Boolean> condition) {
    await().until(condition);
  }

  private static HttpRequest click(Guarding guarding, String key, String gate) {
    return HttpRequest.newBuilder(URI.create(guarding.url() + "/charge"))
        .headers("Idempotency-Key", key, "X-Gate", gate)
        .POST(BodyPublishers.ofString("{\"amount\":10}"))
        .build();
  }

  private HttpResponse<String> send(HttpRequest request) throws Exception {
    return client.send(request, BodyHandlers.ofString());
  }

  private void open(String gate) throws Exception {
    send(HttpRequest.newBuilder(URI.create(service.url() + "/open?gate=" + gate)).build());
  }

  private boolean isReady(Guarding guarding) throws Exception {
    try {
      return send(HttpRequest.newBuilder(URI.create(guarding.url() + "/.semel/readyz")).build())
              .statusCode()
          == 200;
    } catch (IOException e) {
      return false; // it accepts no new connections any more
    }
  }

  /** The service has charged; the gateway dies before the answer is there. */
  @Test
  void aGatewayThatIsKilledBetweenTheEffectAndItsRecordLeavesTheKeyInDoubt() throws Exception {
    Guarding first = gateway("--lease", "2s");
    CompletableFuture<HttpResponse<String>> lost =
        client.sendAsync(click(first, "k", "g"), BodyHandlers.ofString());
    soon(() -> service.executions("/charge") == 1);
    first.process().kill();
    soon(lost::isDone);
    assertThat(lost).isCompletedExceptionally();

    Guarding second = gateway();
    HttpRequest retry = click(second, "k", "g");
    // In flight until the lease ends, unless it has ended already.
    soon(() -> !send(retry).body().contains("request-in-flight"));
    assertThat(send(retry).statusCode()).isEqualTo(409);
    assertThat(send(retry).body()).contains("outcome-in-doubt", "find out");
    assertThat(service.executions("/charge")).isEqualTo(1);
    assertThat(new Cli(folder).call("keys", "release", "http:k", "-y").code()).isZero();
    open("g");
    assertThat(send(retry).statusCode()).isEqualTo(201);

    aRequestToTerminateLetsTheCallUnderWayFinish(second);
  }

  private void aRequestToTerminateLetsTheCallUnderWayFinish(Guarding guarding) throws Exception {
    CompletableFuture<HttpResponse<String>> slow =
        client.sendAsync(click(guarding, "slow", "h"), BodyHandlers.ofString());
    soon(() -> service.executions("/charge") == 3);

    guarding.process().terminate();
    soon(() -> !isReady(guarding));
    open("h");

    assertThat(slow.join().statusCode()).isEqualTo(201);
    Cli.Result ended = guarding.process().await();
    assertThat(ended.code()).as(ended.err()).isZero();
    assertThat(new Cli(folder).call("keys", "inspect", "http:slow", "-o", "json").out())
        .contains("\"state\":\"completed\"");
  }

  @Test
  @Tag("proof")
  void bodiesLargerThanItsMemoryPassInBothDirections() throws Exception {
    Guarding guarding = gateway();
    byte[] mebibyte = new byte[1 << 20];
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), guarding.port())) {
      OutputStream out = socket.getOutputStream();
      out.write(
          ("POST /swallow HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: "
                  + ((long) MEBIBYTES << 20)
                  + "\r\n\r\n")
              .getBytes(StandardCharsets.US_ASCII));
      for (int i = 0; i < MEBIBYTES; i++) {
        out.write(mebibyte);
      }
      assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII))
          .endsWith("\r\n" + ((long) MEBIBYTES << 20));
    }
    HttpResponse<InputStream> large =
        client.send(
            HttpRequest.newBuilder(URI.create(guarding.url() + "/pour?" + MEBIBYTES)).build(),
            BodyHandlers.ofInputStream());
    try (InputStream in = large.body()) {
      assertThat(in.transferTo(OutputStream.nullOutputStream())).isEqualTo((long) MEBIBYTES << 20);
    }
    assertThat(guarding.process().isAlive()).isTrue();
  }
}
