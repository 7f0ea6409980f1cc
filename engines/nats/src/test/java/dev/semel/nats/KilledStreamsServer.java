package dev.semel.nats;

import dev.semel.junit.Patience;
import dev.semel.proof.fault.ChildJvm;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** One of several servers on JetStream that is killed and restarted, each time on another port. */
final class KilledStreamsServer implements AutoCloseable {
  private static final Duration PATIENCE = Patience.LIMIT;
  private static final long LOOK_AGAIN_NANOS = 5_000_000L;

  private final Path portFile;
  private final ChildJvm child;
  private volatile int port;

  KilledStreamsServer(Path folder, String name, String nats) {
    this.portFile = folder.resolve(name + ".port");
    this.child =
        ChildJvm.start(
            StreamsServerChild.class, folder.resolve(name + ".log"), nats, portFile.toString());
    listen();
  }

  private void listen() {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (!Files.exists(portFile)) {
      if (!child.alive() || System.nanoTime() > end) {
        throw new AssertionError("the server did not come up\n" + child.output());
      }
      LockSupport.parkNanos(LOOK_AGAIN_NANOS);
    }
    try {
      port = Integer.parseInt(Files.readString(portFile));
      Files.delete(portFile);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The port where it listens, or listened before the kill. */
  int port() {
    return port;
  }

  void killAndRestart() {
    child.restart();
    listen();
  }

  @Override
  public void close() {
    child.close();
  }
}
