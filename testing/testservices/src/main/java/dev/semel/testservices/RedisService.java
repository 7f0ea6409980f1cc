package dev.semel.testservices;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * A private Redis {@value RedisBinary#VERSION} with an append-only file and without eviction. One
 * thread at a time may start, kill and restart it; {@link #close()} deletes its files, or the end
 * of the JVM does.
 */
public final class RedisService implements AutoCloseable {
  static final Duration START_LIMIT = Duration.ofSeconds(30);
  private static final int PROBE_TIMEOUT_MILLIS = 500;
  private static final int LONGEST_PROBE_ANSWER = 64;

  private final ScratchFolder scratch = new ScratchFolder("redis");
  private final ServerProcess server = new ServerProcess("Redis", scratch, START_LIMIT);
  private final List<String> extraArguments;
  private int port;

  private RedisService(List<String> extraArguments) {
    this.extraArguments = extraArguments;
  }

  /**
   * Starts a server, and waits until it answers.
   *
   * @param arguments as on Redis's command line, such as {@code "--appendfsync", "always"}; they
   *     come after ours and so override them
   */
  public static RedisService start(String... arguments) {
    RedisService service = new RedisService(List.of(arguments));
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
    List<String> command = new ArrayList<>();
    command.add(RedisBinary.ofThisMachine().file().toString());
    command.addAll(List.of("--bind", FreePorts.HOST, "--port", Integer.toString(port)));
    command.addAll(List.of("--dir", scratch.path("").toString(), "--daemonize", "no"));
    command.addAll(List.of("--save", "", "--appendonly", "yes", "--appendfsync", "everysec"));
    command.addAll(List.of("--maxmemory-policy", "noeviction"));
    command.addAll(extraArguments);
    server.start(new ProcessBuilder(command).redirectOutput(scratch.log().toFile()));
    server.awaitAnswer(port, this::answers);
  }

  /** Ready means that it serves commands: it does not while it loads its file. */
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
    return "redis://" + FreePorts.HOST + ":" + port;
  }

  public ProcessHandle process() {
    return server.handle();
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

  /**
   * Starts it again after {@link #kill()}, with the same port and files. Kills it first if it runs.
   */
  public void restart() {
    kill();
    launch();
  }

  @Override
  public void close() {
    server.close();
  }
}
