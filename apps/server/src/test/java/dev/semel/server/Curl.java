package dev.semel.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** curl, a client that we did not write. */
final class Curl {
  private static final String VERSION = "%{http_code} %{http_version}";

  private Curl() {}

  /** Without curl, the test is skipped. */
  static List<String> with(String... options) {
    assumeTrue(
        Stream.of(System.getenv("PATH").split(":"))
            .anyMatch(each -> Files.isExecutable(Path.of(each, "curl"))),
        "there is no curl here");
    return join(List.of("curl", "-sS"), options);
  }

  /** Its output, including errors. */
  static String run(List<String> curl, String... more) throws IOException, InterruptedException {
    Process process = new ProcessBuilder(join(curl, more)).redirectErrorStream(true).start();
    process.getOutputStream().close();
    String said = new String(process.getInputStream().readAllBytes(), UTF_8);
    process.waitFor();
    return said.strip();
  }

  /** Over HTTP/2: makes a stream, follows it by server-sent events, appends meanwhile. */
  static void appendAndFollow(List<String> curl, String stream)
      throws IOException, InterruptedException {
    List<String> text = join(curl, "-H", "Content-Type: text/plain", "-w", VERSION);
    assertThat(run(text, "-X", "PUT", "-d", "one", stream)).isEqualTo("201 2");
    Process following =
        new ProcessBuilder(join(curl, "-N", stream + "?offset=-1&live=sse"))
            .redirectErrorStream(true)
            .start();
    try (var events = following.inputReader(UTF_8)) {
      awaitLine(events.lines(), "data:one");
      assertThat(run(text, "-d", "two", stream)).isEqualTo("204 2");
      awaitLine(events.lines(), "data:two");
    } finally {
      following.destroy();
    }
  }

  private static void awaitLine(Stream<String> lines, String expected) {
    assertThat(lines.anyMatch(expected::equals)).as(expected).isTrue();
  }

  private static List<String> join(List<String> command, String... more) {
    return Stream.concat(command.stream(), Stream.of(more)).toList();
  }
}
