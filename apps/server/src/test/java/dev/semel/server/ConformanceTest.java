package dev.semel.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.proof.NodeProject;
import dev.semel.stream.JournalStreams;
import dev.semel.stream.MemoryStreams;
import dev.semel.stream.spi.Streams;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** Runs the protocol's public conformance suite and its official client against each engine. */
@Tag("service")
class ConformanceTest {
  private static final int SUITE = 338;
  private static final int CLIENT = 5;
  private static final Duration LONG_POLL = Duration.ofSeconds(2);

  @TempDir static Path folder;

  private record Engine(String name, Supplier<Streams> open) {}

  private static List<Engine> engines() {
    InstantSource clock = InstantSource.system();
    return List.of(
        new Engine("memory", () -> new MemoryStreams(clock)),
        new Engine(
            "journal",
            () -> JournalStreams.open(folder, clock, JournalStreams.Settings.defaults())));
  }

  @TestFactory
  Stream<DynamicTest> theSuiteAndTheClientPass() throws Exception {
    NodeProject node =
        NodeProject.installed(Path.of("src", "test", "node"), Path.of("target", "node"));
    return engines().stream()
        .map(engine -> DynamicTest.dynamicTest(engine.name(), () -> run(node, engine)));
  }

  private static void run(NodeProject node, Engine engine)
      throws IOException, InterruptedException {
    ServerSettings settings =
        ServerSettings.defaults()
            .withAddress("127.0.0.1", 0)
            .withEventLoops(2)
            .withLongPoll(LONG_POLL);
    try (Streams streams = engine.open().get();
        SemelServer server = SemelServer.start(settings, ServerBackend.of(streams))) {
      String url = "http://127.0.0.1:" + server.port();
      NodeProject.Result suite = node.run("conformance.test.js", url, LONG_POLL);
      assertThat(suite.failed()).isEmpty();
      assertThat(suite.skipped()).isZero();
      assertThat(suite.passed()).isEqualTo(SUITE);
      NodeProject.Result client = node.run("client.test.js", url, LONG_POLL);
      assertThat(client.failed()).isEmpty();
      assertThat(client.passed()).isEqualTo(CLIENT);
    }
  }
}
