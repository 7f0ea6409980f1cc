package dev.semel.webtest;

import dev.semel.admin.AdminTargets;
import dev.semel.idempotency.MemoryStore;
import dev.semel.junit.TestProcess;
import dev.semel.server.SemelServer;
import dev.semel.server.ServerBackend;
import dev.semel.server.ServerSettings;
import dev.semel.stream.MemoryStreams;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;

/**
 * A server in a process of its own that nobody asked anything yet, with the flags that {@code semel
 * serve} gives to it, before a store in memory.
 */
final class LoneServer implements AutoCloseable {
  private static final List<String> FLAGS =
      List.of(
          "-XX:-UsePerfData",
          "-XX:MaxRAMPercentage=50",
          "-XX:+ExitOnOutOfMemoryError",
          "--enable-native-access=ALL-UNNAMED");

  private final TestProcess process;
  private final URI address;

  LoneServer() {
    process = TestProcess.start(TestProcess.java(FLAGS, LoneServer.class));
    address = URI.create(process.awaitLine("http://.*"));
  }

  URI address() {
    return address;
  }

  @Override
  public void close() {
    process.stop();
    process.close();
  }

  /** Serves until its parent closes its input, so that it never outlives a test. */
  public static void main(String[] arguments) throws IOException {
    try (SemelServer server =
        SemelServer.start(
            ServerSettings.defaults().withAddress("127.0.0.1", 0).withGrace(Duration.ofSeconds(1)),
            ServerBackend.of(new MemoryStreams(InstantSource.system()))
                .withTargets(AdminTargets.of(new MemoryStore(InstantSource.system()))))) {
      System.out.println("http://127.0.0.1:" + server.port());
      while (System.in.read() >= 0) {
        // whatever it says
      }
    }
  }
}
