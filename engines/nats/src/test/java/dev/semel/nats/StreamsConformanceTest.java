package dev.semel.nats;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.junit.ProjectRoot;
import dev.semel.proof.NodeProject;
import dev.semel.server.SemelServer;
import dev.semel.server.ServerBackend;
import dev.semel.server.ServerSettings;
import dev.semel.stream.spi.Streams;
import dev.semel.testservices.NatsService;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;

/** The protocol's public conformance suite and its official client, on JetStream. */
@Tag("proof")
final class StreamsConformanceTest {
  private static final int SUITE = 338;
  private static final int CLIENT = 5;
  private static final Duration LONG_POLL = Duration.ofSeconds(2);

  @Test
  void theSuiteAndTheClientPass(TestReporter report) throws Exception {
    NodeProject node =
        NodeProject.installed(
            ProjectRoot.resolve("apps/server/src/test/node"), Path.of("target", "node"));
    ServerSettings settings =
        ServerSettings.defaults()
            .withAddress("127.0.0.1", 0)
            .withEventLoops(2)
            .withLongPoll(LONG_POLL);
    try (NatsService nats = NatsService.start();
        Streams streams = JetStreamLog.openStreams(StreamsSettings.parse(nats.url()));
        SemelServer server = SemelServer.start(settings, ServerBackend.of(streams))) {
      String url = "http://127.0.0.1:" + server.port();
      NodeProject.Result suite = node.run("conformance.test.js", url, LONG_POLL);
      assertThat(suite.failed()).isEmpty();
      assertThat(suite.skipped()).isZero();
      assertThat(suite.passed()).isEqualTo(SUITE);
      NodeProject.Result client = node.run("client.test.js", url, LONG_POLL);
      assertThat(client.failed()).isEmpty();
      assertThat(client.passed()).isEqualTo(CLIENT);
      report.publishEntry("checks", "" + (SUITE + CLIENT));
    }
  }
}
