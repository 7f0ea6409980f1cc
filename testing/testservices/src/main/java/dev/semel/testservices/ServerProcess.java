package dev.semel.testservices;

import dev.semel.junit.TestProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The process of one server, which can be started, killed and restarted in the same folder. For one
 * thread at a time.
 */
final class ServerProcess {
  private final String name;
  private final ScratchFolder scratch;
  private final Duration limit;
  private final Thread atExit;
  private List<ServerProcess> beside = List.of();
  private @Nullable Process process;

  /** Processes that we ended on purpose. */
  private final Set<Long> ended = ConcurrentHashMap.newKeySet();

  /**
   * @param name for messages
   * @param limit for its first answer, and for its end
   */
  ServerProcess(String name, ScratchFolder scratch, Duration limit) {
    this.name = name;
    this.scratch = scratch;
    this.limit = limit;
    this.atExit = new Thread(this::end, "semel-" + name + "-end");
  }

  /**
   * Starts the server; cleans up if that fails, and when the JVM ends.
   *
   * @param others processes that are ended with it
   */
  void open(Runnable launch, ServerProcess... others) {
    beside = List.of(others);
    Runtime.getRuntime().addShutdownHook(atExit);
    try {
      launch.run();
    } catch (RuntimeException e) {
      close();
      throw e;
    }
  }

  /** Kills the process and those that belong to it, and deletes the files. */
  void close() {
    end();
    forgetShutdownHook(atExit);
  }

  private void end() {
    kill();
    beside.forEach(ServerProcess::kill); // so that none writes into the deleted folder
    scratch.close();
  }

  /** Starts the process; its output goes to the log. */
  void start(ProcessBuilder command) {
    try {
      process = command.redirectErrorStream(true).start();
      var unused = process.onExit().thenAccept(this::reportIfUnexpected);
    } catch (IOException e) {
      throw new UncheckedIOException(name + " could not be started: " + e.getMessage(), e);
    }
  }

  /** Reports a crash, because tests that fail after it would only show that nothing answers. */
  private void reportIfUnexpected(Process gone) {
    if (!ended.contains(gone.pid()) && gone.exitValue() != 0) {
      System.err.printf(
          "%s, process %d, ended by itself with %d. Its log ends with:%n%s%n",
          name, gone.pid(), gone.exitValue(), scratch.logTail());
    }
  }

  /**
   * @throws IllegalStateException the process ended, or did not answer within the limit
   */
  void awaitAnswer(int port, BooleanSupplier answers) {
    Process started = started();
    // A process that ended never answers, so this does not wait for the limit.
    boolean over = ConditionWait.holds(limit, () -> answers.getAsBoolean() || !started.isAlive());
    if (!over || !started.isAlive()) {
      started.destroyForcibly();
      throw new IllegalStateException(
          "%s did not start on port %d within %d s. Its log ends with:%n%s"
              .formatted(name, port, limit.toSeconds(), scratch.logTail()));
    }
  }

  private Process started() {
    if (process == null) {
      throw new IllegalStateException(name + " was not started");
    }
    return process;
  }

  ProcessHandle handle() {
    return started().toHandle();
  }

  boolean isAlive() {
    return process != null && process.isAlive();
  }

  /** Stops the process by SIGTERM, and waits until it is gone. */
  void terminate() {
    ended.add(started().pid());
    started().destroy();
    awaitEnd();
  }

  /** Kills the process by SIGKILL, and waits until it is gone; does nothing if none was started. */
  void kill() {
    if (process != null) {
      ended.add(process.pid());
      process.destroyForcibly();
      awaitEnd();
    }
  }

  void awaitEnd() {
    Process ending = started();
    try {
      if (!ending.waitFor(limit.toSeconds(), TimeUnit.SECONDS)) {
        throw new IllegalStateException(
            "%s, process %d, did not end".formatted(name, ending.pid()));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** The exit code. */
  int exitValue() {
    return started().exitValue();
  }

  /** Freezes the process by SIGSTOP: connections stay, but it does not answer. */
  void freeze() {
    signal(handle(), "-STOP");
    Path threads = Path.of("/proc", Long.toString(handle().pid()), "task");
    while (Files.isDirectory(threads) && !stopped(threads)) {
      Thread.onSpinWait(); // on a busy machine a thread may still run for a moment
    }
  }

  /** Whether no thread runs any more. */
  private static boolean stopped(Path threads) {
    try (Stream<Path> all = Files.list(threads)) {
      for (Path thread : all.toList()) {
        String line = Files.readString(thread.resolve("stat"), StandardCharsets.ISO_8859_1);
        char state = line.charAt(line.lastIndexOf(')') + 2);
        if (state != 'T' && state != 't') {
          return false;
        }
      }
      return true;
    } catch (IOException e) {
      return false; // a thread has just ended
    }
  }

  void thaw() {
    signal(handle(), "-CONT");
  }

  static void signal(ProcessHandle process, String signal) {
    String unused = TestProcess.run("kill", signal, Long.toString(process.pid()));
  }

  /**
   * Removes a shutdown hook. While the JVM ends that is impossible; then the hook runs, and finds
   * nothing to do.
   */
  static void forgetShutdownHook(Thread hook) {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      return;
    }
  }
}
