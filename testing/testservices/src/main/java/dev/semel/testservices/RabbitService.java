package dev.semel.testservices;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A private RabbitMQ with streams, and with a private name server. The process is Erlang's virtual
 * machine, so killing it kills the broker. One thread at a time may start, kill and restart it;
 * {@link #close()} deletes its files, or the end of the JVM does.
 */
public final class RabbitService implements AutoCloseable {
  /** Covers a restart after a crash, too; more than 90 s occurred on a busy machine. */
  private static final Duration START_LIMIT = Duration.ofMinutes(4);

  private static final int PROBE_TIMEOUT_MILLIS = 500;
  private static final String USER = "guest";

  private final ScratchFolder scratch = new ScratchFolder("rabbitmq");
  private final ServerProcess server = new ServerProcess("RabbitMQ", scratch, START_LIMIT);
  private final ServerProcess names =
      new ServerProcess("RabbitMQ's name server", scratch, START_LIMIT);
  private final RabbitInstallation installation = RabbitInstallation.find();
  private final List<String> extraLines;
  private int namesPort;
  private int distributionPort;
  private int port;
  private int streamPort;
  private int tlsPort;
  private int streamTlsPort;

  private RabbitService(List<String> extraLines) {
    this.extraLines = extraLines;
  }

  /**
   * Starts a server, and waits until it answers.
   *
   * @param lines of the configuration file, such as {@code "max_message_size = 65536"}; in them
   *     {@code TLS_PORT} stands for {@link #tlsPort()}, and {@code STREAM_TLS} for {@link
   *     #streamTlsPort()}
   */
  public static RabbitService start(String... lines) {
    RabbitService service = new RabbitService(List.of(lines));
    service.server.open(service::launchOnFreePorts, service.names);
    return service;
  }

  private void launchOnFreePorts() {
    FreePorts.whileTaken(
        () -> {
          namesPort = FreePorts.free();
          distributionPort = FreePorts.free();
          port = FreePorts.free();
          streamPort = FreePorts.free();
          tlsPort = FreePorts.free();
          streamTlsPort = FreePorts.free();
          launch();
        });
  }

  private void launch() {
    try {
      for (String folder : List.of("home", "mnesia", "log")) {
        Files.createDirectories(scratch.path(folder));
      }
      Files.writeString(scratch.path("enabled_plugins"), "[rabbitmq_stream].\n");
      Files.writeString(scratch.path("rabbitmq.conf"), settings());
    } catch (IOException e) {
      throw new UncheckedIOException("RabbitMQ could not be started: " + e.getMessage(), e);
    }
    if (!names.isAlive()) {
      names.start(command("epmd.log", List.of(program("epmd"), "-port", "" + namesPort)));
    }
    server.start(
        command(
            "server.log",
            List.of(
                program("erlexec"), "-noinput", "-s", "rabbit", "boot", "-boot", "start_sasl")));
    server.awaitAnswer(port, this::answers);
  }

  private String settings() {
    List<String> lines = new ArrayList<>();
    lines.add("listeners.tcp.1 = %s:%d".formatted(FreePorts.HOST, port));
    lines.add("stream.listeners.tcp.1 = %s:%d".formatted(FreePorts.HOST, streamPort));
    lines.add("stream.advertised_host = " + FreePorts.HOST);
    lines.add("stream.advertised_port = " + streamPort);
    // Disables checks of the machine's memory and disk, which are not under test.
    lines.add("disk_free_limit.absolute = 1MB");
    extraLines.forEach(
        line ->
            lines.add(
                line.replace("TLS_PORT", "" + tlsPort).replace("STREAM_TLS", "" + streamTlsPort)));
    return String.join("\n", lines) + "\n";
  }

  private String program(String name) {
    return installation.programs().resolve(name).toString();
  }

  private ProcessBuilder command(String log, List<String> command) {
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(scratch.path("home").toFile())
            .redirectOutput(ProcessBuilder.Redirect.appendTo(scratch.path(log).toFile()));
    Map<String, String> environment = builder.environment();
    environment.putAll(installation.environment());
    environment.put("HOME", scratch.path("home").toString());
    environment.put("ERL_EPMD_PORT", "" + namesPort);
    environment.put("ERL_EPMD_ADDRESS", FreePorts.HOST);
    environment.put("RABBITMQ_NODENAME", "semel-" + port + "@localhost");
    environment.put("RABBITMQ_DIST_PORT", "" + distributionPort);
    environment.put("RABBITMQ_MNESIA_BASE", scratch.path("mnesia").toString());
    environment.put("RABBITMQ_PLUGINS_EXPAND_DIR", scratch.path("expanded").toString());
    environment.put("RABBITMQ_LOG_BASE", scratch.path("log").toString());
    environment.put("RABBITMQ_LOGS", "-");
    environment.put("RABBITMQ_CONFIG_FILE", scratch.path("rabbitmq.conf").toString());
    // Spinning schedulers waste every time slice on a busy machine, and then a start takes minutes.
    environment.put("ERL_FLAGS", "+sbwt none +sbwtdcpu none +sbwtdio none");
    environment.put("RABBITMQ_CONF_ENV_FILE", "/dev/null");
    environment.put("RABBITMQ_ENABLED_PLUGINS_FILE", scratch.path("enabled_plugins").toString());
    return builder;
  }

  /** It answers a wrong protocol version with its own, and listens once it is ready. */
  private boolean answers() {
    return greets(port, "AMQP\0\0\0\0", "AMQP") && listens(streamPort);
  }

  private static boolean greets(int port, String words, String answer) {
    try (Socket socket = connect(port)) {
      socket.getOutputStream().write(words.getBytes(StandardCharsets.US_ASCII));
      byte[] start = socket.getInputStream().readNBytes(answer.length());
      return new String(start, StandardCharsets.US_ASCII).equals(answer);
    } catch (IOException e) {
      return false;
    }
  }

  private static boolean listens(int port) {
    try (Socket socket = connect(port)) {
      return socket.isConnected();
    } catch (IOException e) {
      return false;
    }
  }

  private static Socket connect(int port) throws IOException {
    Socket socket = new Socket();
    try {
      socket.connect(
          new InetSocketAddress(InetAddress.getLoopbackAddress(), port), PROBE_TIMEOUT_MILLIS);
      socket.setSoTimeout(PROBE_TIMEOUT_MILLIS);
      return socket;
    } catch (IOException e) {
      socket.close();
      throw e;
    }
  }

  public int port() {
    return port;
  }

  /** The port of the stream protocol. */
  public int streamPort() {
    return streamPort;
  }

  /** A free port for a listener with TLS, if the configuration has one. */
  public int tlsPort() {
    return tlsPort;
  }

  /** A free port for a stream listener with TLS, if the configuration has one. */
  public int streamTlsPort() {
    return streamTlsPort;
  }

  /** With the default user, whom RabbitMQ accepts only from the same machine. */
  public String url() {
    return "amqp://%s:%s@%s:%d/%%2f".formatted(USER, USER, FreePorts.HOST, port);
  }

  public ProcessHandle process() {
    return server.handle();
  }

  /** Ends the process as a crash would (SIGKILL) and waits until it is gone; its files stay. */
  public void kill() {
    server.kill();
  }

  /** Stops it where it is (SIGSTOP): connections stay, and nothing is answered. */
  public void freeze() {
    server.freeze();
  }

  public void thaw() {
    server.thaw();
  }

  /** Starts again where it ended: same ports, same files. Kills it if it runs. */
  public void restart() {
    kill();
    launch();
  }

  @Override
  public void close() {
    server.close();
  }
}
