package dev.semel.server.crash;

import dev.semel.proof.fault.ChildJvm;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/** A server that is killed and started again on the same data, each time on another port. */
public final class CrashingServer implements AutoCloseable {
  private static final long PATIENCE_NANOS = 60_000_000_000L;
  private static final long LOOK_AGAIN_NANOS = 5_000_000L;

  private final Path portFile;
  private final ChildJvm child;
  private int port;

  public CrashingServer(Path folder) {
    this.portFile = folder.resolve("port");
    this.child =
        ChildJvm.start(
            ServerChild.class,
            folder.resolve("server.log"),
            folder.resolve("data").toString(),
            portFile.toString());
    listen();
  }

  private void listen() {
    long end = System.nanoTime() + PATIENCE_NANOS;
    while (!Files.exists(portFile)) {
      if (!child.alive() || System.nanoTime() > end) {
        throw new AssertionError("the server did not come up\n" + child.output());
      }
      LockSupport.parkNanos(LOOK_AGAIN_NANOS);
    }
    try {
      synchronized (this) {
        port = Integer.parseInt(Files.readString(portFile));
        notifyAll();
      }
      Files.delete(portFile);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Waits while the server is down. */
  public synchronized int port() throws InterruptedException {
    while (port == 0) {
      wait();
    }
    return port;
  }

  public void killAndRestart() {
    synchronized (this) {
      port = 0;
    }
    child.restart();
    listen();
  }

  /** Stops it in order and starts it again. */
  void stopAndRestart() {
    synchronized (this) {
      port = 0;
    }
    child.tell("stop");
    child.awaitSuccess();
    child.restart();
    listen();
  }

  /** A value in kilobytes that the system reports about the process, such as its memory. */
  long kilobytes(String name) throws IOException {
    for (String line : Files.readAllLines(proc("status"))) {
      if (line.startsWith(name + ":")) {
        return Long.parseLong(line.replaceAll("[^0-9]", ""));
      }
    }
    throw new IOException("the system doesn't tell " + name);
  }

  int openFiles() throws IOException {
    try (Stream<Path> files = Files.list(proc("fd"))) {
      return (int) files.count();
    }
  }

  private Path proc(String name) {
    return Path.of("/proc", Long.toString(child.pid()), name);
  }

  ChildJvm child() {
    return child;
  }

  @Override
  public void close() {
    child.close();
  }
}
