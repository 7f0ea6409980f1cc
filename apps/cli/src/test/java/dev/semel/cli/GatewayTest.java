package dev.semel.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The gateway before a service without keys; {@link GatewayProcessTest} has the signals and the
 * kills.
 */
class GatewayTest {
  private static final Pattern ADDRESS =
      Pattern.compile(
          "guarding http://127\\.0\\.0\\.1:\\d+ on (http://127\\.0\\.0\\.1:\\d+), keys");

  private static final HttpClient CLIENT =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  @TempDir Path folder;
  private final List<RunningCommand> started = new ArrayList<>();
  private BackendServer service;

  private record Guarding(RunningCommand command, String url) {}

  @BeforeEach
  void startService() throws IOException {
    service = new BackendServer();
  }

  @AfterEach
  void endAll() {
    started.forEach(RunningCommand::close);
    service.close();
  }

  private Guarding gateway(String... more) {
    List<String> args = new ArrayList<>(List.of("gateway", "--upstream", service.url()));
    args.addAll(List.of("--port", "0"));
    args.addAll(List.of(more));
    RunningCommand command = new Cli(folder).start(args.toArray(new String[0]));
    started.add(command);
    await().until(() -> !command.isAlive() || ADDRESS.matcher(command.errSoFar()).find());
    Matcher address = ADDRESS.matcher(command.errSoFar());
    assertThat(address.find()).as(command.errSoFar()).isTrue();
    return new Guarding(command, address.group(1));
  }

  private static HttpRequest click(Guarding guarding, String path, String... headers) {
    return HttpRequest.newBuilder(URI.create(guarding.url() + path))
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

  private static boolean isReplay(HttpResponse<?> answer) {
    return answer.headers().firstValue("Idempotency-Replayed").isPresent();
  }

  @Test
  void theFirstReachesTheServiceAndTheRestGetItsAnswerAlsoAfterARestart() throws Exception {
    Guarding first = gateway();
    HttpResponse<String> answer = send(click(first, "/charge", "Idempotency-Key", "k"));
    assertThat(answer.statusCode()).isEqualTo(201);
    assertThat(isReplay(answer)).isFalse();
    URI metrics = URI.create(first.url() + "/.semel/metrics");
    assertThat(send(HttpRequest.newBuilder(metrics).build()).body())
        .contains(
            "semel_execution_seconds_count{operation=\"http\"} 1\n",
            "semel_dedup_check_seconds_count{operation=\"http\"} 1\n",
            "semel_key_generation_seconds_count{operation=\"http\"} 1\n");
    first.command().terminate();
    assertThat(first.command().await().code()).isZero();

    Guarding second = gateway("--profile", "stripe");
    HttpResponse<String> again = send(click(second, "/charge", "Idempotency-Key", "k"));
    assertThat(again.body()).isEqualTo(answer.body());
    assertThat(again.headers().firstValue("Idempotent-Replayed")).hasValue("true");
    assertThat(service.executions("/charge")).isEqualTo(1);
    assertThat(new Cli(folder).call("keys", "list", "-o", "plain").out()).contains("http:k");
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
    assertThat(result.code()).isEqualTo(ExitCode.USAGE);
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
    assertThat(result.code()).as(result.err()).isEqualTo(ExitCode.USAGE);
    assertThat(result.err()).doesNotContain("should not have happened");
  }

  @Test
  void withoutAnUpstreamThereIsNothingToGuard() {
    Cli.Result result = new Cli(folder).call("gateway");
    assertThat(result.code()).isEqualTo(ExitCode.USAGE);
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
                  service.url(),
                  "--port",
                  Integer.toString(other.getLocalPort()));
      assertThat(result.code()).isEqualTo(ExitCode.UNREACHABLE);
      assertThat(result.err()).contains("can't listen", "--port");
    }
  }
}
