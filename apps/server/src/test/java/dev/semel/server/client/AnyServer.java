package dev.semel.server.client;

import dev.semel.junit.TestProcess;
import dev.semel.proof.NodeProject;
import dev.semel.server.SemelServer;
import dev.semel.server.ServerBackend;
import dev.semel.server.ServerSettings;
import dev.semel.stream.JournalStreams;
import dev.semel.stream.MemoryStreams;
import dev.semel.stream.spi.Streams;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;

/** A server of the protocol on this machine. */
interface AnyServer extends AutoCloseable {
  int port();

  /** Whether it keeps its streams over a restart on the same port. */
  boolean survives();

  void stop();

  void start() throws IOException;

  @Override
  void close();

  /** Small answers and short waits, so that a reader must ask often. */
  static ServerSettings settings() {
    ServerSettings plain =
        ServerSettings.defaults()
            .withAddress("127.0.0.1", 0)
            .withEventLoops(1)
            .withGrace(Duration.ZERO)
            .withLongPoll(Duration.ofMillis(300));
    return plain.withServing(
        plain.serving().withMaxReadBytes(2000).withSseReconnect(Duration.ofMillis(400)));
  }

  static AnyServer memory(ServerSettings settings) {
    return new Semel(settings, new MemoryStreams(InstantSource.system()));
  }

  static AnyServer journal(Path folder) {
    return new Semel(
        settings(),
        JournalStreams.open(folder, InstantSource.system(), JournalStreams.Settings.defaults()));
  }

  static AnyServer node() throws IOException, InterruptedException {
    return node(List.of());
  }

  /** The public server with its file store. */
  static Node node(Path data) throws IOException, InterruptedException {
    return node(List.of(data.toAbsolutePath().toString()));
  }

  private static Node node(List<String> arguments) throws IOException, InterruptedException {
    Node node =
        new Node(
            NodeProject.installed(Path.of("src", "test", "node"), Path.of("target", "node"))
                .folder(),
            arguments);
    node.start();
    return node;
  }

  /** Our server; the engine survives while the server is restarted. */
  final class Semel implements AnyServer {
    private final ServerSettings settings;
    private final Streams streams;
    private SemelServer server;

    private Semel(ServerSettings settings, Streams streams) {
      this.settings = settings;
      this.streams = streams;
      this.server = SemelServer.start(settings, ServerBackend.of(streams));
    }

    @Override
    public int port() {
      return server.port();
    }

    @Override
    public boolean survives() {
      return true;
    }

    @Override
    public void stop() {
      server.close();
    }

    @Override
    public void start() {
      server =
          SemelServer.start(
              settings.withAddress("127.0.0.1", server.port()), ServerBackend.of(streams));
    }

    @Override
    public void close() {
      server.close();
      streams.close();
    }
  }

  /** The public server, in a separate process. */
  final class Node implements AnyServer {
    private final Path project;
    private final List<String> arguments;
    private TestProcess process;
    private int port;

    private Node(Path project, List<String> arguments) {
      this.project = project;
      this.arguments = arguments;
    }

    @Override
    public boolean survives() {
      return false;
    }

    @Override
    public int port() {
      return port;
    }

    @Override
    public void start() throws IOException {
      List<String> command = new ArrayList<>(List.of("node", "server.mjs"));
      command.addAll(arguments);
      process = TestProcess.start(new ProcessBuilder(command).directory(project.toFile()));
      port = Integer.parseInt(process.awaitLine("[0-9]+"));
    }

    /**
     * After an orderly end, everything that it accepted is on disk; after a crash, that is not
     * certain. Sometimes it stops and never ends: then this kills it, which is as good if it was
     * idle.
     */
    void stopInOrder() throws IOException {
      process.input().close();
      boolean unused = process.endsWithin(Duration.ofSeconds(30));
      stop();
    }

    @Override
    public void stop() {
      process.close();
    }

    @Override
    public void close() {
      stop();
    }
  }
}
