package dev.semel.testservices;

import dev.semel.junit.TestProcess;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * A private Kafka broker and controller in a small JVM. One thread at a time may start, kill and
 * restart it; {@link #close()} deletes its files, or the end of the JVM does. The class path must
 * hold Kafka's server.
 */
public final class KafkaService implements AutoCloseable {
  private static final Duration START_LIMIT = Duration.ofSeconds(90);
  private static final int PROBE_TIMEOUT_MILLIS = 1000;
  private static final String CLUSTER = "c2VtZWwtdGVzdC1jbHVzdA";

  private final ScratchFolder scratch = new ScratchFolder("kafka");
  private final ServerProcess server = new ServerProcess("Kafka", scratch, START_LIMIT);
  private final List<String> extraLines;
  private int port;
  private int internalPort;
  private int controllerPort;

  private KafkaService(List<String> extraLines) {
    this.extraLines = extraLines;
  }

  /**
   * Starts a broker, and waits until it answers.
   *
   * @param lines of the configuration file, such as {@code "message.max.bytes=65536"}; they come
   *     after ours and so override them. Clients use the listener {@code CLIENT}
   */
  public static KafkaService start(String... lines) {
    KafkaService service = new KafkaService(List.of(lines));
    service.server.open(service::launchOnFreePorts);
    return service;
  }

  private void launchOnFreePorts() {
    FreePorts.whileTaken(
        () -> {
          port = FreePorts.free();
          internalPort = FreePorts.free();
          controllerPort = FreePorts.free();
          launch();
        });
  }

  /** Short times, so that tests of groups and restarts don't wait; one replica of everything. */
  private String configuration() {
    return """
        process.roles=broker,controller
        node.id=1
        controller.quorum.voters=1@%1$s:%4$d
        listeners=CLIENT://%1$s:%2$d,INTERNAL://%1$s:%3$d,CONTROLLER://%1$s:%4$d
        advertised.listeners=CLIENT://%1$s:%2$d,INTERNAL://%1$s:%3$d
        listener.security.protocol.map=CLIENT:PLAINTEXT,INTERNAL:PLAINTEXT,CONTROLLER:PLAINTEXT
        inter.broker.listener.name=INTERNAL
        controller.listener.names=CONTROLLER
        log.dirs=%5$s
        auto.create.topics.enable=false
        num.partitions=4
        default.replication.factor=1
        offsets.topic.num.partitions=2
        offsets.topic.replication.factor=1
        transaction.state.log.num.partitions=2
        transaction.state.log.replication.factor=1
        transaction.state.log.min.isr=1
        share.coordinator.state.topic.replication.factor=1
        share.coordinator.state.topic.min.isr=1
        share.coordinator.state.topic.num.partitions=1
        group.initial.rebalance.delay.ms=0
        group.min.session.timeout.ms=500
        transaction.abort.timed.out.transaction.cleanup.interval.ms=1000
        broker.session.timeout.ms=3000
        broker.heartbeat.interval.ms=500
        num.network.threads=2
        num.io.threads=4
        background.threads=2
        num.recovery.threads.per.data.dir=1
        log.cleaner.dedupe.buffer.size=2097152
        """
        .formatted(FreePorts.HOST, port, internalPort, controllerPort, data());
  }

  private Path data() {
    return scratch.path("data");
  }

  private void launch() {
    Path file = scratch.path("server.properties");
    List<String> flags = new ArrayList<>(TestProcess.SMALL);
    flags.add("-Dorg.slf4j.simpleLogger.defaultLogLevel=warn");
    flags.add("-Djava.awt.headless=true");
    List<String> command =
        TestProcess.java(flags, KafkaProcess.class, file.toString(), data().toString(), CLUSTER);
    try {
      Files.writeString(file, configuration() + String.join("\n", extraLines) + "\n");
    } catch (IOException e) {
      throw new UncheckedIOException("Kafka could not be started: " + e.getMessage(), e);
    }
    server.start(new ProcessBuilder(command).redirectOutput(scratch.log().toFile()));
    server.awaitAnswer(port, this::answers);
  }

  /**
   * Asks for the supported versions, which it answers once it is ready; by the listener without
   * TLS.
   */
  private boolean answers() {
    try (Socket socket = new Socket()) {
      socket.connect(
          new InetSocketAddress(InetAddress.getLoopbackAddress(), internalPort),
          PROBE_TIMEOUT_MILLIS);
      socket.setSoTimeout(PROBE_TIMEOUT_MILLIS);
      DataOutputStream request = new DataOutputStream(socket.getOutputStream());
      request.writeInt(10); // length of the rest: request number, version, id, no client
      request.writeShort(18);
      request.writeShort(0);
      request.writeInt(1);
      request.writeShort(-1);
      request.flush();
      return new DataInputStream(socket.getInputStream()).readInt() > 0;
    } catch (IOException e) {
      return false;
    }
  }

  public int port() {
    return port;
  }

  /** The address for clients. */
  public String url() {
    return "kafka://" + bootstrap();
  }

  /** The address in the form for Kafka's clients. */
  public String bootstrap() {
    return FreePorts.HOST + ":" + port;
  }

  /** An address without credentials, even if the other listener requires them. */
  public String internalBootstrap() {
    return FreePorts.HOST + ":" + internalPort;
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
