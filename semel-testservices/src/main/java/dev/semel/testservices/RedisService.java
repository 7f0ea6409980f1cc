package dev.semel.testservices;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A Redis {@value RedisBinary#VERSION} of its own, with an append-only file and without eviction.
 * One thread at a time may start, kill and restart it; what the process leaves behind is deleted by
 * {@link #close()}, or when the JVM ends.
 */
public final class RedisService implements AutoCloseable {
  static final Duration START_LIMIT = Duration.ofSeconds(30);
  private static final int PROBE_TIMEOUT_MILLIS = 500;
  private static final int LONGEST_PROBE_ANSWER = 64;

  private final Scratch scratch = new Scratch("redis");
  private final List<String> extraArguments;
  private final Thread atExit = new Thread(this::end, "semel-redis-end");
  private Process process;
  private int port;

  @SuppressWarnings("NullAway.Init") // start() sets the process before anyone sees the instance
  private RedisService(List<String> extraArguments) {
    this.extraArguments = extraArguments;
  }

  /**
   * Starts one and waits until it answers.
   *
   * @param arguments as on Redis's command line, such as {@code "--appendfsync", "always"}; they
   *     come after ours and so override them
   */
  public static RedisService start(String... arguments) {
    RedisService service = new RedisService(List.of(arguments));
    try {
      RedisBinary.ofThisMachine().copyTo(service.scratch.path("redis-server"));
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
        if (attempt == Ports.MAX_START_ATTEMPTS || !Ports.wasTaken(scratch.logTail())) {
          throw e;
        }
      }
    }
  }

  private void launch() {
    List<String> command = new ArrayList<>();
    command.add(scratch.path("redis-server").toString());
    command.addAll(List.of("--bind", Ports.HOST, "--port", Integer.toString(port)));
    command.addAll(List.of("--dir", scratch.path("").toString(), "--daemonize", "no"));
    command.addAll(List.of("--save", "", "--appendonly", "yes", "--appendfsync", "everysec"));
    command.addAll(List.of("--maxmemory-policy", "noeviction"));
    command.addAll(extraArguments);
    try {
      process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(scratch.log().toFile())
              .start();
    } catch (IOException e) {
      throw new UncheckedIOException("Redis could not be started: " + e.getMessage(), e);
    }
    // A server that ended will never answer, so there is no need to wait out the limit.
    Until.holds(START_LIMIT, () -> answers() || !process.isAlive());
    if (!process.isAlive() || !answers()) {
      process.destroyForcibly();
      throw new IllegalStateException(
          "Redis did not start on port %d within %d s. Its log ends with:%n%s"
              .formatted(port, START_LIMIT.toSeconds(), scratch.logTail()));
    }
  }

  /** Ready means that it serves commands: not while it still loads its file. */
  private boolean answers() {
    try (Socket socket = new Socket()) {
      socket.connect(
          new InetSocketAddress(InetAddress.getLoopbackAddress(), port), PROBE_TIMEOUT_MILLIS);
      socket.setSoTimeout(PROBE_TIMEOUT_MILLIS);
      socket.getOutputStream().write("PING\r\n".getBytes(StandardCharsets.US_ASCII));
      byte[] start = new byte[LONGEST_PROBE_ANSWER];
      int length = Math.max(0, socket.getInputStream().read(start));
      String answer = new String(start, 0, length, StandardCharsets.US_ASCII);
      return answer.startsWith("+PONG") || answer.startsWith("-NOAUTH");
    } catch (IOException e) {
      return false;
    }
  }

  public int port() {
    return port;
  }

  /** The store URL, without the password if a {@code requirepass} was given. */
  public String url() {
    return "redis://" + Ports.HOST + ":" + port;
  }

  public ProcessHandle process() {
    return process.toHandle();
  }

  /** Ends the process as a crash would (SIGKILL) and waits until it is gone; its files stay. */
  public void kill() {
    process.destroyForcibly();
    try {
      if (!process.waitFor(START_LIMIT.toSeconds(), TimeUnit.SECONDS)) {
        throw new IllegalStateException("Redis, process " + process.pid() + ", did not end");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Stops it where it is (SIGSTOP): connections stay, and nothing is answered. */
  public void freeze() {
    signal(process.pid(), "-STOP");
  }

  public void thaw() {
    signal(process.pid(), "-CONT");
  }

  static void signal(long pid, String signal) {
    try {
      int code = new ProcessBuilder("kill", signal, Long.toString(pid)).start().waitFor();
      if (code != 0) {
        throw new IllegalStateException("kill %s ended with %d".formatted(signal, code));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Starts again where {@link #kill()} left off: same port, same files. Kills it if it runs. */
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
    forgetShutdownHook(atExit);
  }

  /** A hook can't be taken back once the JVM is ending; then it runs, and finds nothing to do. */
  static void forgetShutdownHook(Thread hook) {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      return;
    }
  }
}
