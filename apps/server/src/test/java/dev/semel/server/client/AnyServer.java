package dev.semel.server.client;

import dev.semel.proof.NodeProject;
import dev.semel.server.SemelServer;
import dev.semel.server.ServerBackend;
import dev.semel.server.ServerSettings;
import dev.semel.stream.JournalStreams;
import dev.semel.stream.MemoryStreams;
import dev.semel.stream.Streams;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A server of the protocol on this machine. */
interface AnyServer extends AutoCloseable {
  int port();

  /** Whether it keeps its streams when it is restarted, on the same port. */
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

  /** On its file store. */
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

  /** Ours; the engine lives on while the server in front of it is started anew. */
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

  /** The public one, in a process of its own. */
  final class Node implements AnyServer {
    private final Path project;
    private final List<String> arguments;
    private Process process;
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
      process =
          new ProcessBuilder(command)
              .directory(project.toFile())
              .redirectError(ProcessBuilder.Redirect.INHERIT)
              .start();
      BufferedReader output =
          new BufferedReader(
              new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
      String line = output.readLine();
      while (line != null && !line.matches("[0-9]+")) {
        line = output.readLine(); // what the server has to say for itself
      }
      if (line == null) {
        throw new IOException("the Node server ended before it listened");
      }
      port = Integer.parseInt(line);
      Thread.ofVirtual().start(() -> output.lines().forEach(each -> {}));
    }

    /**
     * What it has taken is on its disk then; that can't be said of a crash. It has been seen to
     * stop and never end: then it is killed, which is as good if it had nothing to do.
     */
    void stopInOrder() throws IOException, InterruptedException {
      process.getOutputStream().close();
      if (!process.waitFor(30, TimeUnit.SECONDS)) {
        stop();
      }
    }

    @Override
    public void stop() {
      process.destroyForcibly().onExit().join();
    }

    @Override
    public void close() {
      stop();
    }
  }
}
