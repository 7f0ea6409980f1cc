package dev.semel.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The gateway in a process of its own, before a service that knows nothing of keys. */
@Tag("service")
@EnabledOnOs({OS.LINUX, OS.MAC})
class GatewayTest {
  private static final Path SERVICE =
      Path.of("..", "semel-server", "src", "test", "resources", "gateway", "backend.cjs");
  private static final Pattern ADDRESS =
      Pattern.compile(
          "guarding http://127\\.0\\.0\\.1:\\d+ on (http://127\\.0\\.0\\.1:(\\d+)), keys");

  /** More than the gateway's heap and its buffers together. */
  private static final int MEGABYTES = 400;

  private static final HttpClient CLIENT =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  @TempDir Path folder;
  private final List<SemelProcess> started = new ArrayList<>();
  private Process service;
  private String serviceUrl;

  private record Guarding(SemelProcess process, String url, int port) {}

  @BeforeEach
  void startService() throws IOException {
    service = new ProcessBuilder("node", SERVICE.toString()).start();
    BufferedReader out =
        new BufferedReader(new InputStreamReader(service.getInputStream(), StandardCharsets.UTF_8));
    serviceUrl = "http://127.0.0.1:" + out.readLine();
  }

  @AfterEach
  void endAll() throws InterruptedException {
    for (SemelProcess process : started) {
      process.kill();
    }
    service.destroyForcibly().waitFor();
  }

  private Guarding gateway(String... more) throws IOException {
    List<String> args = new ArrayList<>(List.of("gateway", "--upstream", serviceUrl));
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

  private static HttpRequest click(Guarding guarding, String path, String... headers) {
    return HttpRequest.newBuilder(URI.create(guarding.url() + path))
        .timeout(Duration.ofSeconds(60))
        .headers(headers)
        .POST(BodyPublishers.ofString("{\"id\":\"evt-1\",\"amount\":10}"))
        .build();
  }

  private static HttpResponse<String> send(HttpRequest request) {
    try {
      return CLIENT.send(request, BodyHandlers.ofString());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }

  private long executions(String path) {
    return Long.parseLong(
        send(HttpRequest.newBuilder(URI.create(serviceUrl + "/executions?path=" + path)).build())
            .body());
  }

  private static boolean isReplay(HttpResponse<?> answer) {
    return answer.headers().firstValue("Idempotency-Replayed").isPresent();
  }

  @Test
  void theFirstReachesTheServiceAndTheRestGetItsAnswerAlsoAfterARestart() throws Exception {
    Guarding first = gateway();
    HttpResponse<String> answer = send(click(first, "/charge", "Idempotency-Key", "k"));
    assertThat(answer.statusCode()).isEqualTo(201);
    assertThat(isReplay(answer)).isFalse();
    first.process().terminate();
    assertThat(first.process().await().code()).isZero();

    Guarding second = gateway("--profile", "stripe");
    HttpResponse<String> again = send(click(second, "/charge", "Idempotency-Key", "k"));
    assertThat(again.body()).isEqualTo(answer.body());
    assertThat(again.headers().firstValue("Idempotent-Replayed")).hasValue("true");
    assertThat(executions("/charge")).isEqualTo(1);
    assertThat(new Cli(folder).call("keys", "list", "-o", "plain").out()).contains("http:k");
  }

  /** The service has charged; the gateway dies before the answer is there. */
  @Test
  void aGatewayThatIsKilledBetweenTheEffectAndItsRecordLeavesTheKeyInDoubt() throws Exception {
    Guarding first = gateway("--lease", "2s");
    HttpRequest click = click(first, "/charge", "Idempotency-Key", "k", "X-Gate", "g");
    CompletableFuture<HttpResponse<String>> lost = CLIENT.sendAsync(click, BodyHandlers.ofString());
    soon(() -> executions("/charge") == 1);
    first.process().kill();
    soon(lost::isDone);
    assertThat(lost).isCompletedExceptionally();

    Guarding second = gateway();
    HttpRequest retry = click(second, "/charge", "Idempotency-Key", "k", "X-Gate", "g");
    // In flight until the lease ends, unless it did already.
    soon(() -> !send(retry).body().contains("request-in-flight"));
    assertThat(send(retry).statusCode()).isEqualTo(409);
    assertThat(send(retry).body()).contains("outcome-in-doubt", "find out");
    assertThat(executions("/charge")).isEqualTo(1);

    assertThat(new Cli(folder).call("keys", "release", "http:k", "-y").code()).isZero();
    CompletableFuture<HttpResponse<String>> released =
        CLIENT.sendAsync(retry, BodyHandlers.ofString());
    send(HttpRequest.newBuilder(URI.create(serviceUrl + "/open?gate=g")).build());
    assertThat(released.join().statusCode()).isEqualTo(201);
  }

  @Test
  void aRequestToTerminateLetsTheCallUnderWayFinish() throws Exception {
    Guarding guarding = gateway();
    CompletableFuture<HttpResponse<String>> slow =
        CLIENT.sendAsync(
            click(guarding, "/charge", "Idempotency-Key", "k", "X-Wait", "1500"),
            BodyHandlers.ofString());
    soon(() -> executions("/charge") == 1);

    guarding.process().terminate();

    assertThat(slow.join().statusCode()).isEqualTo(201);
    assertThat(guarding.process().await().code()).isZero();
    assertThat(isReplay(send(click(gateway(), "/charge", "Idempotency-Key", "k")))).isTrue();
  }

  @Test
  void optionsDecideWhatIsGuarded() throws Exception {
    Guarding webhooks = gateway("--key-pointer", "/id", "--path", "/charge", "--store", "memory:");
    assertThat(isReplay(send(click(webhooks, "/charge", "X", "y")))).isFalse();
    assertThat(isReplay(send(click(webhooks, "/charge", "X", "y")))).isTrue();
    assertThat(isReplay(send(click(webhooks, "/refund", "X", "y")))).isFalse();
    assertThat(isReplay(send(click(webhooks, "/refund", "X", "y")))).isFalse();

    Guarding strict =
        gateway("--require-key", "--strict-keys", "--key-header", "X-Key", "--store", "memory:");
    assertThat(send(click(strict, "/charge", "X", "y")).statusCode()).isEqualTo(400);
    assertThat(send(click(strict, "/charge", "X-Key", "bare")).statusCode()).isEqualTo(400);
    assertThat(send(click(strict, "/charge", "X-Key", "\"k\"")).statusCode()).isEqualTo(201);
  }

  @Test
  void bodiesLargerThanItsMemoryPassInBothDirections() throws Exception {
    Guarding guarding = gateway();
    byte[] megabyte = new byte[1 << 20];
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), guarding.port())) {
      OutputStream out = socket.getOutputStream();
      out.write(
          ("POST /swallow HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: "
                  + ((long) MEGABYTES << 20)
                  + "\r\n\r\n")
              .getBytes(StandardCharsets.US_ASCII));
      for (int i = 0; i < MEGABYTES; i++) {
        out.write(megabyte);
      }
      assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII))
          .endsWith("\r\n" + ((long) MEGABYTES << 20));
    }
    HttpResponse<InputStream> large =
        CLIENT.send(
            HttpRequest.newBuilder(URI.create(guarding.url() + "/pour?megabytes=" + MEGABYTES))
                .build(),
            BodyHandlers.ofInputStream());
    try (InputStream in = large.body()) {
      assertThat(in.transferTo(OutputStream.nullOutputStream())).isEqualTo((long) MEGABYTES << 20);
    }
    assertThat(guarding.process().isAlive()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "localhost:3000",
        "ftp://localhost",
        "http://",
        "http://localhost:99999",
        "http://user:secret@localhost",
        "http://localhost/path",
        "http://localhost:3000/?a=b",
        "no url at all"
      })
  void anUpstreamThatIsNoneIsAUsageError(String url) {
    Cli.Result result = new Cli(folder).call("gateway", "--upstream", url);
    assertThat(result.code()).isEqualTo(Exit.USAGE);
    assertThat(result.err()).contains("upstream").doesNotContain("secret");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--profile nope",
        "--host 0.0.0.0",
        "--port 99999",
        "--port 3000 --host localhost",
        "--tenant-header a:b",
        "--key-header a\u00e4",
        "--key-pointer id",
        "--key-pointer /id --key-header X",
        "--require-key --generate-key",
        "--max-request 1GiB",
        "--replay-header Set-Cookie",
        "--timeout 2h",
        "--path relative"
      })
  void whatCanNotBeIsAUsageError(String options) {
    List<String> args = new ArrayList<>(List.of("gateway", "--upstream", "http://localhost:3000"));
    args.addAll(List.of(options.split(" ", -1)));
    Cli.Result result = new Cli(folder).call(args.toArray(new String[0]));
    assertThat(result.code()).as(result.err()).isEqualTo(Exit.USAGE);
    assertThat(result.err()).doesNotContain("should not have happened");
  }

  @Test
  void withoutAnUpstreamThereIsNothingToGuard() {
    Cli.Result result = new Cli(folder).call("gateway");
    assertThat(result.code()).isEqualTo(Exit.USAGE);
    assertThat(result.err()).contains("--upstream");
  }

  @Test
  void aPortThatSomeoneElseHasIsRefused() throws IOException {
    try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Cli.Result result =
          new Cli(folder)
              .call(
                  "gateway",
                  "--upstream",
                  serviceUrl,
                  "--port",
                  Integer.toString(other.getLocalPort()));
      assertThat(result.code()).isEqualTo(Exit.UNREACHABLE);
      assertThat(result.err()).contains("can't listen", "--port");
    }
  }
}
