package dev.semel.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** A server in a process of its own, and commands that ask it. */
@Tag("service")
@EnabledOnOs({OS.LINUX, OS.MAC})
class ServeTest {
  private static final Pattern ADDRESS =
      Pattern.compile("serving streams on (http://127\\.0\\.0\\.1:(\\d+))/v1/stream, journal in ");
  private static final String SECRET = "very-secret-token-1234";
  private static final int LINES = 1000;
  private static final int BEFORE_THE_KILL = 300;

  @TempDir Path folder;
  private final List<SemelProcess> started = new ArrayList<>();

  /** A server that listens. */
  private record Served(SemelProcess process, String url, String port) {}

  @AfterEach
  void endAll() throws InterruptedException {
    for (SemelProcess process : started) {
      process.kill();
    }
  }

  private SemelProcess start(Map<String, String> environment, String... args) {
    SemelProcess process = SemelProcess.piped(folder, environment, args);
    started.add(process);
    return process;
  }

  private Served serve(String... more) throws IOException {
    List<String> args = new ArrayList<>(List.of("serve"));
    args.addAll(List.of(more));
    if (!args.contains("--port")) {
      args.addAll(List.of("--port", "0"));
    }
    SemelProcess process = start(Map.of(), args.toArray(new String[0]));
    soon(() -> !process.isAlive() || ADDRESS.matcher(process.errSoFar()).find());
    Matcher address = ADDRESS.matcher(process.errSoFar());
    assertThat(address.find()).as(process.errSoFar()).isTrue();
    return new Served(process, address.group(1), address.group(2));
  }

  private static void soon(Callable<Boolean> condition) {
    await().until(condition);
  }

  /** A command in this process that asks the server. */
  private Cli.Result call(Served served, String... args) {
    return new Cli(folder).with("SEMEL_URL", served.url()).call(args);
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
    SemelProcess append =
        start(Map.of("SEMEL_URL", served.url()), "streams", "append", "a", "--producer", "p");
    try (OutputStream in = append.stdin()) {
      write(in, numbers(0, 5));
      soon(() -> call(served, "streams", "read", "a", "-o", "jsonl").out().equals(numbers(0, 5)));
      assertThat(new Cli(folder).call("backup", "here").code())
          .as("the server has the folder")
          .isEqualTo(Exit.UNREACHABLE);
      Cli.Result made = call(served, "backup", "monday", "-o", "json");
      assertThat(made.code()).as(made.err()).isZero();
      assertThat(made.out()).contains("\"records\":1");
      write(in, numbers(5, 9));
    }
    assertThat(append.await().code()).isZero();
    assertThat(call(served, "backup", "monday").code()).isEqualTo(Exit.CONFLICT);
    assertThat(call(served, "backup", "../monday").code()).isEqualTo(Exit.USAGE);

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
    Map<String, String> server = Map.of("SEMEL_URL", served.url());
    SemelProcess tail = start(server, "streams", "tail", "a", "--from", "-1");
    SemelProcess append = start(server, "streams", "append", "a");

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
    assertThat(call(served, "streams", "read", "a").code()).isEqualTo(Exit.NOT_FOUND);
  }

  @Test
  void serverThatIsKilledInTheMiddleOfAnAppendKeepsEveryLineOnceAndInOrder() throws Exception {
    Served first = serve();
    assertThat(call(first, "streams", "create", "a", "--type", "application/json").code()).isZero();
    Map<String, String> server = Map.of("SEMEL_URL", first.url());
    SemelProcess tail = start(server, "streams", "tail", "a", "--from", "-1", "--timeout", "60s");
    SemelProcess append = start(server, "streams", "append", "a", "--close", "--timeout", "60s");
    Served second;
    try (OutputStream in = append.stdin()) {
      write(in, numbers(0, BEFORE_THE_KILL));
      soon(() -> !call(first, "streams", "read", "a").out().isEmpty());
      soon(() -> !tail.outSoFar().isEmpty()); // a server that was never there is not waited for
      // Line by line, so that there is always a batch on its way.
      Thread writer = Thread.ofVirtual().start(() -> writeOneByOne(in));

      first.process().kill();
      second = serve("--port", first.port());
      writer.join();
    }
    Cli.Result appended = append.await();
    assertThat(appended.err()).contains("Trying again");
    assertThat(appended.code()).isZero();
    assertThat(appended.out()).contains("appended %d lines".formatted(LINES));
    assertThat(call(second, "streams", "read", "a").out()).isEqualTo(numbers(0, LINES));
    Cli.Result followed = tail.await();
    assertThat(followed.out()).isEqualTo(numbers(0, LINES));
    assertThat(followed.code()).isZero();
  }

  /**
   * A shell without job control starts what runs in the background that way, and it is inherited.
   */
  private static boolean interruptsAreIgnored() throws IOException {
    Path status = Path.of("/proc/self/status");
    if (!Files.exists(status)) {
      return false;
    }
    String mask =
        Files.readAllLines(status).stream()
            .filter(line -> line.startsWith("SigIgn:"))
            .findFirst()
            .map(line -> line.substring("SigIgn:".length()).strip())
            .orElse("0");
    return (Long.parseUnsignedLong(mask, 16) & 2) != 0; // signal 2
  }

  private static void writeOneByOne(OutputStream in) {
    try {
      for (int i = BEFORE_THE_KILL; i < LINES; i++) {
        write(in, numbers(i, i + 1));
      }
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  @Test
  void appendGivesUpWhenTheServerStaysAwayAndSaysWhatIsThere() throws Exception {
    Served served = serve();
    call(served, "streams", "create", "a", "--type", "text/plain");
    SemelProcess append =
        start(Map.of("SEMEL_URL", served.url()), "streams", "append", "a", "--timeout", "300ms");
    try (OutputStream in = append.stdin()) {
      write(in, "one\n");
      soon(() -> !call(served, "streams", "read", "a").out().isEmpty());
      served.process().kill();
      write(in, "two\n");

      Cli.Result result = append.await();

      assertThat(result.code()).isEqualTo(Exit.TIMEOUT);
      assertThat(result.err()).contains("No success within", "1 line, 4 B are appended");
    }
  }

  @Test
  void requestToTerminateEndsWithNoughtAndKeepsAll() throws Exception {
    Served served = serve();
    call(served, "streams", "create", "a");
    SemelProcess tail = start(Map.of("SEMEL_URL", served.url()), "streams", "tail", "a");

    served.process().terminate();

    assertThat(served.process().await().code()).isZero();
    tail.kill();
    assertThat(new Cli(folder).call("streams", "list", "-o", "plain").out()).startsWith("a\t");
  }

  @Test
  void interruptEndsWithItsOwnCode() throws Exception {
    assumeFalse(
        interruptsAreIgnored(), "started in the background: children ignore interrupts too");
    Served served = serve();

    served.process().interrupt();

    assertThat(served.process().await().code()).isEqualTo(Exit.INTERRUPTED);
  }

  @Test
  void secondServerOnTheSameFolderOrPortIsRefused() throws Exception {
    Served first = serve();

    Cli.Result folderTaken = start(Map.of(), "serve", "--port", "0").await();
    assertThat(folderTaken.code()).isEqualTo(Exit.UNREACHABLE);
    assertThat(folderTaken.err()).contains("in use by process");
    Cli.Result command = new Cli(folder).call("streams", "list");
    assertThat(command.code()).isEqualTo(Exit.UNREACHABLE);
    assertThat(command.err()).contains("set SEMEL_URL");

    Cli.Result portTaken =
        start(Map.of(), "serve", "--port", first.port(), "--streams", "memory:").await();
    assertThat(portTaken.code()).isEqualTo(Exit.UNREACHABLE);
    assertThat(portTaken.err()).contains("port " + first.port(), "in use", "--port");
    assertThat(portTaken.err()).doesNotContain("should not have happened");
  }

  @Test
  void portThatSomeoneElseHasIsRefusedInThisProcessToo() throws Exception {
    try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      String port = Integer.toString(other.getLocalPort());

      Cli.Result result = new Cli(folder).call("serve", "--port", port);

      assertThat(result.code()).isEqualTo(Exit.UNREACHABLE);
    }
    // The folder is free again.
    assertThat(new Cli(folder).call("streams", "list").code()).isZero();
  }

  @Test
  void tokensAreAskedForAndNeverShown() throws Exception {
    Path tokens = folder.resolve("tokens");
    Files.writeString(tokens, "# who\n" + SECRET + " append,read\n");
    Served served = serve("--token", "tokens");
    Cli nobody = new Cli(folder).with("SEMEL_URL", served.url());
    assertThat(nobody.call("streams", "create", "a").code()).isEqualTo(Exit.UNREACHABLE);
    assertThat(nobody.call("streams", "list").err()).contains("wants a token and got none");

    assertThat(nobody.call("streams", "create", "a", "--token", "tokens").code()).isZero();
    Cli known = nobody.with("SEMEL_TOKEN", SECRET);
    assertThat(known.call("streams", "list").code()).isZero();
    assertThat(known.reading("x").call("streams", "append", "a").code()).isZero();
    Cli.Result delete = known.call("streams", "delete", "a", "-y");
    assertThat(delete.code()).isEqualTo(Exit.UNREACHABLE);
    assertThat(delete.err()).contains("refuses this").doesNotContain(SECRET);
    assertThat(served.process().errSoFar()).doesNotContain(SECRET);
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

    assertThat(result.code()).isEqualTo(Exit.UNREACHABLE);
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
      assertThat(served.process().errSoFar())
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

  @Test
  void serverWhoseFolderIsGoneStopsAtOnceAndSaysSo() throws Exception {
    Served served = serve();
    Path data = folder.resolve("data");
    try (Stream<Path> files = Files.walk(data)) {
      for (Path file : files.sorted(java.util.Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }

    Cli.Result create =
        new Cli(folder)
            .with("SEMEL_URL", served.url())
            .reading("x")
            .call("streams", "append", "a", "--create", "--timeout", "1ms");

    Cli.Result result = served.process().await();
    assertThat(create.code()).isIn(Exit.UNREACHABLE, Exit.TIMEOUT);
    assertThat(result.code()).isEqualTo(Exit.FAILED);
    assertThat(result.err()).contains("stopped, because the streams can't be kept");
  }
}
