package dev.semel.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
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

/** What only a server in a separate process shows: signals, kills, and how a process ends. */
@Tag("service")
@EnabledOnOs({OS.LINUX, OS.MAC})
class ServeProcessTest {
  private static final Pattern ADDRESS =
      Pattern.compile("serving streams on (http://127\\.0\\.0\\.1:(\\d+))/v1/stream, ");
  private static final int LINES = 1000;
  private static final int BEFORE_THE_KILL = 300;

  @TempDir Path folder;
  private final List<SemelProcess> servers = new ArrayList<>();
  private final List<RunningCommand> commands = new ArrayList<>();

  /** A server that listens. */
  private record Served(SemelProcess process, String url, String port) {}

  @AfterEach
  void endAll() throws InterruptedException {
    commands.forEach(RunningCommand::close);
    for (SemelProcess server : servers) {
      server.kill();
    }
  }

  private Served serve(String... args) throws IOException {
    SemelProcess process =
        SemelProcess.piped(
            folder,
            Map.of(),
            Stream.concat(Stream.of("serve"), Stream.of(args)).toArray(String[]::new));
    servers.add(process);
    soon(() -> !process.isAlive() || ADDRESS.matcher(process.errSoFar()).find());
    Matcher address = ADDRESS.matcher(process.errSoFar());
    assertThat(address.find()).as(process.errSoFar()).isTrue();
    return new Served(process, address.group(1), address.group(2));
  }

  private static void soon(Callable<Boolean> condition) {
    await().until(condition);
  }

  private Cli asking(Served served) {
    return new Cli(folder).with("SEMEL_URL", served.url());
  }

  private RunningCommand start(Served served, String... args) {
    RunningCommand command = asking(served).start(args);
    commands.add(command);
    return command;
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

  private static void writeOneByOne(OutputStream in) {
    try {
      for (int i = BEFORE_THE_KILL; i < LINES; i++) {
        write(in, numbers(i, i + 1));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void serverThatIsKilledInTheMiddleOfAnAppendKeepsEveryLineOnceAndInOrder() throws Exception {
    Served first = serve("--port", "0");
    Cli.Result folderTaken = new Cli(folder).call("serve", "--port", "0");
    assertThat(folderTaken.code()).isEqualTo(ExitCode.UNREACHABLE);
    assertThat(folderTaken.err()).contains("in use by process");
    assertThat(asking(first).call("streams", "create", "a", "--type", "application/json").code())
        .isZero();
    RunningCommand tail = start(first, "streams", "tail", "a", "--from", "-1", "--timeout", "3m");
    RunningCommand append = start(first, "streams", "append", "a", "--close", "--timeout", "3m");
    Served second;
    try (OutputStream in = append.stdin()) {
      write(in, numbers(0, BEFORE_THE_KILL));
      soon(() -> !asking(first).call("streams", "read", "a").out().isEmpty());
      soon(() -> !tail.outSoFar().isEmpty()); // a server that has never answered is not retried
      // Line by line, so that there is always a batch under way.
      Thread writer = Thread.ofVirtual().start(() -> writeOneByOne(in));

      first.process().kill();
      second = serve("--port", first.port());
      writer.join();
    }
    Cli.Result appended = append.await();
    assertThat(appended.err()).contains("Trying again");
    assertThat(appended.code()).isZero();
    assertThat(appended.out()).contains("appended %d lines".formatted(LINES));
    assertThat(asking(second).call("streams", "read", "a").out()).isEqualTo(numbers(0, LINES));
    Cli.Result followed = tail.await();
    assertThat(followed.out()).isEqualTo(numbers(0, LINES));
    assertThat(followed.code()).isZero();

    assertThat(asking(second).call("streams", "create", "open").code()).isZero();
    start(second, "streams", "tail", "open", "--timeout", "1ms");
    second.process().terminate();
    Cli.Result terminated = second.process().await();
    assertThat(terminated.code()).as(terminated.err()).isZero();
    assertThat(new Cli(folder).call("streams", "list", "-o", "plain").out().lines())
        .anyMatch(line -> line.startsWith("a\t"))
        .anyMatch(line -> line.startsWith("open\t"));
  }

  /** A shell without job control starts background commands so, and their children inherit it. */
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

  @Test
  void interruptEndsWithItsOwnCodeAndSkipsTheDrain() throws Exception {
    assumeFalse(
        interruptsAreIgnored(), "started in the background: children ignore interrupts too");
    Served served =
        serve("--port", "0", "--streams", "memory:", "--store", "memory:", "--drain", "15m");

    served.process().interrupt();

    Cli.Result ended = served.process().await();
    assertThat(ended.code()).isEqualTo(ExitCode.INTERRUPTED);
    assertThat(ended.err()).doesNotContain("told to stop");
  }

  @Test
  void requestToTerminateDrainsAndALaterInterruptChangesNothing() throws Exception {
    Served served =
        serve("--port", "0", "--streams", "memory:", "--store", "memory:", "--drain", "1s");

    served.process().terminate();
    soon(() -> served.process().errSoFar().contains("not ready any more, serving on for 1000 ms"));
    served.process().interrupt();

    assertThat(served.process().await().code()).isZero();
  }

  @Test
  void serverWhoseFolderIsGoneStopsAtOnceAndSaysSo() throws Exception {
    Served served = serve("--port", "0");
    Path data = folder.resolve("data");
    try (Stream<Path> files = Files.walk(data)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }

    Cli.Result create =
        asking(served).reading("x").call("streams", "append", "a", "--create", "--timeout", "1ms");

    Cli.Result result = served.process().await();
    assertThat(create.code()).isIn(ExitCode.UNREACHABLE, ExitCode.TIMEOUT);
    assertThat(result.code()).isEqualTo(ExitCode.FAILED);
    assertThat(result.err()).contains("stopped, because the streams can't be kept");
  }
}
