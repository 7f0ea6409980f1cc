package dev.semel.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server, and commands that ask it; {@link ServeProcessTest} has the signals and the kills. */
class ServeTest {
  private static final Pattern ADDRESS =
      Pattern.compile("serving streams on (http://127\\.0\\.0\\.1:(\\d+))/v1/stream, journal in ");
  private static final String SECRET = "very-secret-token-1234";

  @TempDir Path folder;
  private final Deque<RunningCommand> started = new ArrayDeque<>();

  /** A server that listens. */
  private record Served(RunningCommand command, String url, String port) {}

  /** Ends clients before their servers. */
  @AfterEach
  void endAll() {
    while (!started.isEmpty()) {
      started.pop().close();
    }
  }

  private RunningCommand start(Cli cli, String... args) {
    RunningCommand command = cli.start(args);
    started.push(command);
    return command;
  }

  private Cli asking(Served served) {
    return new Cli(folder).with("SEMEL_URL", served.url());
  }

  private Served serve(String... more) {
    List<String> args = new ArrayList<>(List.of("serve"));
    args.addAll(List.of(more));
    if (!args.contains("--port")) {
      args.addAll(List.of("--port", "0"));
    }
    RunningCommand command = start(new Cli(folder), args.toArray(new String[0]));
    soon(() -> !command.isAlive() || ADDRESS.matcher(command.errSoFar()).find());
    Matcher address = ADDRESS.matcher(command.errSoFar());
    assertThat(address.find()).as(command.errSoFar()).isTrue();
    return new Served(command, address.group(1), address.group(2));
  }

  private static void soon(Callable<Boolean> condition) {
    await().until(condition);
  }

  private Cli.Result call(Served served, String... args) {
    return asking(served).call(args);
  }

  private static void write(OutputStream out, String text) throws IOException {
    out.write(text.getBytes(StandardCharsets.UTF_8));
    out.flush();
  }

  private static String numbers(int from, int to) {
    StringBuilder lines = new StringBuilder();
    IntStream.range(from, to).forEach(i -> lines.append("{\"n\":").append(i).append("}\n"));
    return lines.toString();
  }

  @Test
  void serverBacksUpWhatItHasWhileItIsAppendedTo() throws Exception {
    Served served = serve();
    call(served, "streams", "create", "a", "--type", "application/json");
    new Cli(folder).call("run", "--key", "report:1", "--", "echo", "one");
    RunningCommand append = start(asking(served), "streams", "append", "a", "--producer", "p");
    try (OutputStream in = append.stdin()) {
      write(in, numbers(0, 5));
      soon(() -> call(served, "streams", "read", "a", "-o", "jsonl").out().equals(numbers(0, 5)));
      assertThat(new Cli(folder).call("backup", "here").code())
          .as("the server has the folder")
          .isEqualTo(ExitCode.UNREACHABLE);
      Cli.Result made = call(served, "backup", "monday", "-o", "json");
      assertThat(made.code()).as(made.err()).isZero();
      assertThat(made.out()).contains("\"records\":1");
      write(in, numbers(5, 9));
    }
    assertThat(append.await().code()).isZero();
    assertThat(call(served, "backup", "monday").code()).isEqualTo(ExitCode.CONFLICT);
    assertThat(call(served, "backup", "../monday").code()).isEqualTo(ExitCode.USAGE);

    Path copy = folder.resolve("data/backups/monday");
    Cli restored = new Cli(folder).with("SEMEL_DATA", copy.toString());
    assertThat(restored.call("backup", "--verify", copy.toString()).code()).isZero();
    assertThat(restored.call("streams", "read", "a", "-o", "jsonl").out()).isEqualTo(numbers(0, 5));
    assertThat(restored.call("run", "--key", "report:1", "--", "echo", "one").err())
        .contains("replayed");
  }

  @Test
  void whatIsAppendedThroughAPipeIsReadAndFollowed() throws Exception {
    Served served = serve();
    assertThat(call(served, "streams", "create", "a", "--type", "application/json").code())
        .isZero();
    RunningCommand tail = start(asking(served), "streams", "tail", "a", "--from", "-1");
    RunningCommand append = start(asking(served), "streams", "append", "a");

    try (OutputStream in = append.stdin()) {
      write(in, numbers(0, 2));
      soon(() -> tail.outSoFar().equals(numbers(0, 2)));
      write(in, numbers(2, 3));
      soon(() -> tail.outSoFar().equals(numbers(0, 3)));
    }

    assertThat(append.await().out()).contains("appended 3 lines");
    assertThat(call(served, "streams", "read", "a").out()).isEqualTo(numbers(0, 3));
    assertThat(call(served, "streams", "info", "a", "-o", "json").out())
        .contains("\"closed\":false", "\"id\":\"cli-");
    assertThat(call(served, "streams", "list", "-o", "plain").out()).startsWith("a\t");
    assertThat(call(served, "streams", "close", "a").code()).isZero();
    assertThat(tail.await().code()).isZero();
    assertThat(call(served, "streams", "delete", "a", "-y").out()).isEqualTo("deleted a\n");
    assertThat(call(served, "streams", "read", "a").code()).isEqualTo(ExitCode.NOT_FOUND);
  }

  @Test
  void appendGivesUpWhenTheServerStaysAwayAndSaysWhatIsThere() throws Exception {
    Served served = serve();
    call(served, "streams", "create", "a", "--type", "text/plain");
    RunningCommand append = start(asking(served), "streams", "append", "a", "--timeout", "300ms");
    try (OutputStream in = append.stdin()) {
      write(in, "one\n");
      soon(() -> !call(served, "streams", "read", "a").out().isEmpty());
      served.command().terminate();
      assertThat(served.command().await().code()).isZero();
      write(in, "two\n");

      Cli.Result result = append.await();

      assertThat(result.code()).isEqualTo(ExitCode.TIMEOUT);
      assertThat(result.err()).contains("No success within", "1 line, 4 B are appended");
    }
  }

  @Test
  void interruptEndsWithItsOwnCodeWithoutDrainingAndKeepsAll() throws Exception {
    Served served = serve("--drain", "15m");
    call(served, "streams", "create", "a");

    served.command().interrupt();

    assertThat(served.command().await().code()).isEqualTo(ExitCode.INTERRUPTED);
    assertThat(new Cli(folder).call("streams", "list", "-o", "plain").out()).startsWith("a\t");
  }

  @Test
  void secondServerOnTheSameFolderOrPortIsRefused() throws Exception {
    Served first = serve();

    Cli.Result folderTaken = new Cli(folder).call("serve", "--port", "0");
    assertThat(folderTaken.code()).isEqualTo(ExitCode.UNREACHABLE);
    assertThat(folderTaken.err()).contains("in use by process");
    Cli.Result command = new Cli(folder).call("streams", "list");
    assertThat(command.code()).isEqualTo(ExitCode.UNREACHABLE);
    assertThat(command.err()).contains("set SEMEL_URL");

    Cli.Result portTaken =
        new Cli(folder).call("serve", "--port", first.port(), "--streams", "memory:");
    assertThat(portTaken.code()).isEqualTo(ExitCode.UNREACHABLE);
    assertThat(portTaken.err()).contains("port " + first.port(), "in use", "--port");
    assertThat(portTaken.err()).doesNotContain("should not have happened");
  }

  @Test
  void portThatSomeoneElseHasIsRefusedAndTheFolderIsFreeAgain() throws Exception {
    try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      String port = Integer.toString(other.getLocalPort());

      Cli.Result result = new Cli(folder).call("serve", "--port", port);

      assertThat(result.code()).isEqualTo(ExitCode.UNREACHABLE);
    }
    assertThat(new Cli(folder).call("streams", "list").code()).isZero();
  }

  @Test
  void tokensAreAskedForAndNeverShown() throws Exception {
    Path tokens = folder.resolve("tokens");
    Files.writeString(tokens, "# who\n" + SECRET + " append,read\n");
    Served served = serve("--token", "tokens");
    Cli nobody = new Cli(folder).with("SEMEL_URL", served.url());
    assertThat(nobody.call("streams", "create", "a").code()).isEqualTo(ExitCode.UNREACHABLE);
    assertThat(nobody.call("streams", "list").err()).contains("wants a token and got none");

    assertThat(nobody.call("streams", "create", "a", "--token", "tokens").code()).isZero();
    Cli known = nobody.with("SEMEL_TOKEN", SECRET);
    assertThat(known.call("streams", "list").code()).isZero();
    assertThat(known.reading("x").call("streams", "append", "a").code()).isZero();
    Cli.Result delete = known.call("streams", "delete", "a", "-y");
    assertThat(delete.code()).isEqualTo(ExitCode.UNREACHABLE);
    assertThat(delete.err()).contains("refuses this").doesNotContain(SECRET);
    assertThat(served.command().errSoFar()).doesNotContain(SECRET);
  }

  @Test
  void whatStandsBeforeAServerIsToldToSubscribersAndMayKeepData() throws Exception {
    Served served = serve("--public-url", "https://streams.example", "--shared-cache");
    assertThat(call(served, "streams", "create", "a", "--closed").code()).isZero();
    String subscription = served.url() + "/v1/stream/__ds/subscriptions/s";
    try (HttpClient client = HttpClient.newHttpClient()) {
      HttpRequest subscribe =
          HttpRequest.newBuilder(URI.create(subscription))
              .PUT(
                  HttpRequest.BodyPublishers.ofString(
                      "{\"type\":\"webhook\",\"pattern\":\"a\",\"webhook\":{\"url\":\"%s/hook\"}}"
                          .formatted(served.url())))
              .build();
      HttpResponse<String> made = client.send(subscribe, HttpResponse.BodyHandlers.ofString());
      HttpResponse<String> read =
          client.send(
              HttpRequest.newBuilder(URI.create(served.url() + "/v1/stream/a")).build(),
              HttpResponse.BodyHandlers.ofString());

      assertThat(made.statusCode()).as(made.body()).isEqualTo(201);
      assertThat(made.body()).contains("\"https://streams.example/v1/stream/__ds/jwks.json\"");
      assertThat(read.headers().firstValue("Cache-Control").orElse("")).startsWith("public");
    }
  }

  @Test
  void readOnlyServerTakesNothing() throws Exception {
    Served served = serve("--read-only", "--long-poll", "1s");

    Cli.Result result = call(served, "streams", "create", "a");

    assertThat(result.code()).isEqualTo(ExitCode.UNREACHABLE);
    assertThat(result.err()).contains("read-only");
  }

  @Test
  void whatIsWatchedIsShownToPrometheusAndToldToAWebhook() throws Exception {
    try (Shop shop = Shop.before(folder.resolve("shop.db"), Duration.ofMinutes(6))) {
      shop.order("waits");
    }
    Files.writeString(folder.resolve("secret.txt"), "0123456789abcdef-" + SECRET);
    try (OddServer receiver = new OddServer()) {
      Served served =
          serve(
              "--store",
              "sqlite:shop.db",
              "--webhook",
              receiver.url() + "/hook/" + SECRET,
              "--webhook-secret",
              "secret.txt");
      soon(() -> receiver.requests().stream().anyMatch(asked -> asked.startsWith("POST /hook/")));
      HttpRequest scrape = HttpRequest.newBuilder(URI.create(served.url() + "/metrics")).build();
      try (HttpClient client = HttpClient.newHttpClient()) {
        String shown = client.send(scrape, HttpResponse.BodyHandlers.ofString()).body();
        assertThat(shown)
            .contains(
                "semel_outbox_pending 1\n",
                "semel_alerts_firing{alert=\"outbox-lag\",severity=\"critical\"} 1\n");
      }
      assertThat(served.command().errSoFar())
          .contains("administering sqlite:")
          .doesNotContain(SECRET);
      Cli operator = new Cli(folder);
      soon(
          () ->
              operator
                  .call("audit", "list", "--store", "sqlite:shop.db")
                  .out()
                  .contains("alert-changed"));
    }
  }
}
