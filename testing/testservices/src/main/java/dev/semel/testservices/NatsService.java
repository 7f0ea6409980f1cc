package dev.semel.testservices;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;

/**
 * A private NATS server with JetStream that syncs every write to disk. One thread at a time may
 * start, kill and restart it; {@link #close()} deletes its files, or the end of the JVM does.
 */
public final class NatsService implements AutoCloseable {
  private static final Duration START_LIMIT = Duration.ofSeconds(30);
  private static final int PROBE_TIMEOUT_MILLIS = 500;

  private final ScratchFolder scratch = new ScratchFolder("nats");
  private final ServerProcess server = new ServerProcess("NATS", scratch, START_LIMIT);
  private final NatsBinary binary = NatsBinary.find();
  private final List<String> extraLines;
  private int port;

  private NatsService(List<String> extraLines) {
    this.extraLines = extraLines;
  }

  /**
   * Starts a server, and waits until it answers.
   *
   * @param lines of the configuration file, such as {@code "max_payload: 65536"}; they come after
   *     ours and so override them
   */
  public static NatsService start(String... lines) {
    NatsService service = new NatsService(List.of(lines));
    service.server.open(service::launchOnFreePort);
    return service;
  }

  private void launchOnFreePort() {
    FreePorts.whileTaken(
        () -> {
          port = FreePorts.free();
          launch();
        });
  }

  private void launch() {
    String settings =
        """
        listen: "%s:%d"
        jetstream {
          store_dir: "%s"
          sync_interval: always
        }
        %s
        """
            .formatted(FreePorts.HOST, port, scratch.path("data"), String.join("\n", extraLines));
    try {
      Files.writeString(scratch.path("nats.conf"), settings);
    } catch (IOException e) {
      throw new UncheckedIOException("NATS could not be started: " + e.getMessage(), e);
    }
    server.start(
        new ProcessBuilder(
                binary.file().toString(), "--config", scratch.path("nats.conf").toString())
            .redirectOutput(scratch.log().toFile()));
    server.awaitAnswer(port, this::answers);
  }

  /** It greets new connections, and does not listen before JetStream has read its files. */
  private boolean answers() {
    try (Socket socket = new Socket()) {
      socket.connect(
          new InetSocketAddress(InetAddress.getLoopbackAddress(), port), PROBE_TIMEOUT_MILLIS);
      socket.setSoTimeout(PROBE_TIMEOUT_MILLIS);
      byte[] start = socket.getInputStream().readNBytes("INFO".length());
      return new String(start, StandardCharsets.US_ASCII).equals("INFO");
    } catch (IOException e) {
      return false;
    }
  }

  public int port() {
    return port;
  }

  /** The server URL without credentials. */
  public String url() {
    return "nats://" + FreePorts.HOST + ":" + port;
  }

  public ProcessHandle process() {
    return server.handle();
  }

  /** Stops it by SIGTERM, and waits until it is gone; its files stay. */
  public void stop() {
    server.terminate();
  }

  /** Kills it by SIGKILL like a crash, and waits until it is gone; its files stay. */
  public void kill() {
    server.kill();
  }

  /** Freezes it by SIGSTOP: connections stay, but it does not answer. */
  public void freeze() {
    server.freeze();
  }

  public void thaw() {
    server.thaw();
  }

  /** Starts it again with the same port and files. Kills it first if it runs. */
  public void restart() {
    kill();
    launch();
  }

  @Override
  public void close() {
    server.close();
  }
}
