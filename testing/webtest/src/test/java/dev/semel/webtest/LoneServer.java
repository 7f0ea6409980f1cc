package dev.semel.webtest;

import dev.semel.admin.AdminTargets;
import dev.semel.idempotency.MemoryStore;
import dev.semel.server.SemelServer;
import dev.semel.server.ServerBackend;
import dev.semel.server.ServerSettings;
import dev.semel.stream.MemoryStreams;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

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

  private final Process process;
  private final URI address;

  LoneServer() throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(FLAGS);
    command.addAll(
        List.of("-cp", System.getProperty("java.class.path"), LoneServer.class.getName()));
    process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    BufferedReader said = process.inputReader(StandardCharsets.US_ASCII);
    address = URI.create(Objects.requireNonNull(said.readLine(), "the server did not start"));
  }

  URI address() {
    return address;
  }

  @Override
  public void close() {
    process.destroy();
    process.onExit().join();
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
