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
import java.util.concurrent.TimeUnit;

/**
 * A NATS server of its own with JetStream that forces every write to the disk. One thread at a time
 * may start, kill and restart it; what the process leaves behind is deleted by {@link #close()}, or
 * when the JVM ends.
 */
public final class NatsService implements AutoCloseable {
  private static final Duration START_LIMIT = Duration.ofSeconds(30);
  private static final int PROBE_TIMEOUT_MILLIS = 500;

  private final Scratch scratch = new Scratch("nats");
  private final NatsBinary binary = NatsBinary.find();
  private final List<String> extraLines;
  private final Thread atExit = new Thread(this::end, "semel-nats-end");
  private Process process;
  private int port;

  @SuppressWarnings("NullAway.Init") // start() sets the process before anyone sees the instance
  private NatsService(List<String> extraLines) {
    this.extraLines = extraLines;
  }

  /**
   * Starts one and waits until it answers.
   *
   * @param lines of the configuration file, such as {@code "max_payload: 65536"}; they come after
   *     ours and so override them
   */
  public static NatsService start(String... lines) {
    NatsService service = new NatsService(List.of(lines));
    try {
      service.launchOnFreePort();
    } catch (RuntimeException e) {
      service.end();
      throw e;
    }
    Runtime.getRuntime().addShutdownHook(service.atExit);
    return service;
  }

  private void launchOnFreePort() {
    for (int attempt = 1; ; attempt++) {
      port = Ports.free();
      try {
        launch();
        return;
      } catch (IllegalStateException e) {
        if (attempt == Ports.MAX_START_ATTEMPTS
            || !Ports.wasTaken(scratch.logTail().replace("address", "Address"))) {
          throw e;
        }
      }
    }
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
            .formatted(Ports.HOST, port, scratch.path("data"), String.join("\n", extraLines));
    try {
      Files.writeString(scratch.path("nats.conf"), settings);
      process =
          new ProcessBuilder(
                  binary.file().toString(), "--config", scratch.path("nats.conf").toString())
              .redirectErrorStream(true)
              .redirectOutput(scratch.log().toFile())
              .start();
    } catch (IOException e) {
      throw new UncheckedIOException("NATS could not be started: " + e.getMessage(), e);
    }
    // A server that ended will never answer, so there is no need to wait out the limit.
    Until.holds(START_LIMIT, () -> answers() || !process.isAlive());
    if (!process.isAlive() || !answers()) {
      process.destroyForcibly();
      throw new IllegalStateException(
          "NATS did not start on port %d within %d s. Its log ends with:%n%s"
              .formatted(port, START_LIMIT.toSeconds(), scratch.logTail()));
    }
  }

  /** It greets whoever connects, and does not listen before JetStream has read its files. */
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

  /** The server URL, without what a configured authorization asks for. */
  public String url() {
    return "nats://" + Ports.HOST + ":" + port;
  }

  public ProcessHandle process() {
    return process.toHandle();
  }

  /** Asks it to end, as an operator would (SIGTERM), and waits until it is gone; its files stay. */
  public void stop() {
    process.destroy();
    awaitEnd();
  }

  /** Ends the process as a crash would (SIGKILL) and waits until it is gone; its files stay. */
  public void kill() {
    process.destroyForcibly();
    awaitEnd();
  }

  private void awaitEnd() {
    try {
      if (!process.waitFor(START_LIMIT.toSeconds(), TimeUnit.SECONDS)) {
        throw new IllegalStateException("NATS, process " + process.pid() + ", did not end");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Stops it where it is (SIGSTOP): connections stay, and nothing is answered. */
  public void freeze() {
    RedisService.signal(process.pid(), "-STOP");
  }

  public void thaw() {
    RedisService.signal(process.pid(), "-CONT");
  }

  /** Starts again where it ended: same port, same files. Kills it if it runs. */
  public void restart() {
    kill();
    launch();
  }

  private void end() {
    if (process != null) {
      kill();
    }
    scratch.close();
  }

  @Override
  public void close() {
    end();
    RedisService.forgetShutdownHook(atExit);
  }
}
