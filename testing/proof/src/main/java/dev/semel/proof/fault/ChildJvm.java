package dev.semel.proof.fault;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A child process with this test's class path and another main class, ended only by its own handle.
 */
public final class ChildJvm implements AutoCloseable {
  private final ProcessBuilder builder;
  private final Path log;
  private volatile Process process;

  private ChildJvm(ProcessBuilder builder, Path log) throws IOException {
    this.builder = builder;
    this.log = log;
    this.process = builder.start();
  }

  /**
   * Starts {@code main} in a small JVM.
   *
   * @param log the file for its standard output and error
   */
  public static ChildJvm start(Class<?> main, Path log, String... arguments) {
    return start(List.of(), main, log, arguments);
  }

  /**
   * Starts {@code main} in a small JVM with a limit on its open files and sockets.
   *
   * @param descriptors the limit, as for {@code ulimit -n}
   */
  public static ChildJvm limited(int descriptors, Class<?> main, Path log, String... arguments) {
    String limit = "ulimit -n %d; exec \"$@\"".formatted(descriptors);
    return start(List.of("sh", "-c", limit, "sh"), main, log, arguments);
  }

  private static ChildJvm start(List<String> before, Class<?> main, Path log, String... arguments) {
    List<String> command = new ArrayList<>(before);
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(
        List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xshare:auto", "-Xmx256m"));
    command.add("--enable-native-access=ALL-UNNAMED");
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
    command.addAll(List.of(arguments));
    try {
      ProcessBuilder builder = new ProcessBuilder(command);
      builder.redirectErrorStream(true);
      builder.redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
      return new ChildJvm(builder, log);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public long pid() {
    return process.pid();
  }

  public boolean alive() {
    return process.isAlive();
  }

  /**
   * Writes a line to the child's standard input. That stream ends with this process, so a child
   * that reads it can end too. Does nothing when the child is gone.
   */
  public void tell(String line) {
    try {
      process.getOutputStream().write((line + "\n").getBytes(StandardCharsets.UTF_8));
      process.getOutputStream().flush();
    } catch (IOException e) {
      return; // the caller will notice that it is gone
    }
  }

  /** Kills it by {@code kill -9}: no hook runs, nothing is flushed. Returns when it is gone. */
  public void kill() {
    process.destroyForcibly();
    process.onExit().join();
  }

  /** Stops it by {@code SIGTERM}: its shutdown hooks run. Returns when it is gone. */
  public void stop() {
    process.destroy();
    process.onExit().join();
  }

  /** Freezes it by {@code SIGSTOP}: it keeps its state, and does nothing. */
  public void pause() {
    signal("-STOP");
  }

  /** Resumes a frozen process. */
  public void resume() {
    signal("-CONT");
  }

  private void signal(String signal) {
    try {
      new ProcessBuilder("kill", signal, Long.toString(process.pid())).start().waitFor();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Kills it if it runs, and starts it again with the same arguments and log. */
  public void restart() {
    kill();
    try {
      process = builder.start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Waits for the child's own end; throws with its log when it failed. */
  public void awaitSuccess() {
    if (process.onExit().join().exitValue() != 0) {
      throw new AssertionError("the child ended with " + process.exitValue() + "\n" + output());
    }
  }

  /** Whether the child ended by an uncaught exception. */
  public boolean failed() {
    return !alive() && process.exitValue() == 1;
  }

  /**
   * A description for a failure's message: whether it runs, its output, and its threads' stacks.
   */
  public String state() {
    return "%s %s%n%s%n%s"
        .formatted(log.getFileName(), alive() ? "runs" : "has ended", output(), threads());
  }

  private String threads() {
    String jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd").toString();
    try {
      Process asked =
          new ProcessBuilder(jcmd, Long.toString(process.pid()), "Thread.print")
              .redirectErrorStream(true)
              .start();
      return new String(asked.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      return "its threads can't be asked: " + e;
    }
  }

  public String output() {
    try {
      return Files.readString(log);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    kill();
  }
}
