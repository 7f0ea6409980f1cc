package dev.semel.proof.fault;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Another process of ours: this test's class path, another main, ended by its own handle only. */
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
   * @param log where its standard output and error go
   */
  public static ChildJvm start(Class<?> main, Path log, String... arguments) {
    return start(List.of(), main, log, arguments);
  }

  /**
   * The same where the process may have only so many files and sockets open.
   *
   * @param descriptors as {@code ulimit -n} has it
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
   * A line on its standard input. That ends when this process does, so that a child which reads it
   * can end too. Nothing happens when the child is gone already.
   */
  public void tell(String line) {
    try {
      process.getOutputStream().write((line + "\n").getBytes(StandardCharsets.UTF_8));
      process.getOutputStream().flush();
    } catch (IOException e) {
      return; // it will be seen to be gone
    }
  }

  /** {@code kill -9}: no hook runs, nothing is flushed. Returns when the process is gone. */
  public void kill() {
    process.destroyForcibly();
    process.onExit().join();
  }

  /** {@code SIGTERM}: its hooks run. Returns when the process is gone. */
  public void stop() {
    process.destroy();
    process.onExit().join();
  }

  /** Stops it where it is ({@code SIGSTOP}): it keeps what it has, and does nothing. */
  public void pause() {
    signal("-STOP");
  }

  /** Lets it go on where it was stopped. */
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

  /** Kills it, unless it is gone already, and starts it again with the same arguments and log. */
  public void restart() {
    kill();
    try {
      process = builder.start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Waits until it ends by itself; its log is the message when it ended badly. */
  public void awaitSuccess() {
    if (process.onExit().join().exitValue() != 0) {
      throw new AssertionError("the child ended with " + process.exitValue() + "\n" + output());
    }
  }

  /** Whether it ended by itself, and by an exception that nobody caught. */
  public boolean failed() {
    return !alive() && process.exitValue() == 1;
  }

  /** For a failure's message: whether it runs, what it wrote, and what its threads are doing. */
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
