package dev.semel.cli.demo;

import dev.semel.loop.internal.Loop;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A process of a story. It exchanges lines with this one, and ends with it. */
final class ChildProcess implements AutoCloseable {
  /** Nothing there takes long, and a hanging process must not hang the demo. */
  private static final int LIMIT_SECONDS = 60;

  private static final String ENDED = "";

  private final Process process;
  private final Path errors;
  private final BlockingQueue<String> said = new LinkedBlockingQueue<>();

  private final Thread undertaker = Thread.ofPlatform().unstarted(this::close);

  private ChildProcess(Process process, Path errors) {
    this.process = process;
    this.errors = errors;
    Loop.beside("semel-demo-child", this::listen);
  }

  /**
   * Starts one.
   *
   * @param folder where it may write down what went wrong
   */
  static ChildProcess start(Class<?> main, Path folder, String... arguments) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xmx64m"));
    command.add("--enable-native-access=ALL-UNNAMED");
    @Nullable String library = System.getProperty("org.sqlite.lib.path");
    if (library != null) {
      command.add("-Dorg.sqlite.lib.path=" + library); // else every start unpacks it
    }
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
    command.addAll(List.of(arguments));
    Path errors = folder.resolve("child.log");
    try {
      return new ChildProcess(
          new ProcessBuilder(command)
              .redirectError(ProcessBuilder.Redirect.appendTo(errors.toFile()))
              .start(),
          errors);
    } catch (IOException e) {
      throw new UncheckedIOException("the demo's process can't be started", e);
    }
  }

  private void listen() {
    try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        said.add(line);
      }
    } catch (IOException e) {
      // It was killed in the middle of a line.
    } finally {
      said.add(ENDED);
    }
  }

  long pid() {
    return process.pid();
  }

  /** Its next line. */
  String hear() throws InterruptedException {
    String line = said.poll(LIMIT_SECONDS, TimeUnit.SECONDS);
    if (line == null || line.equals(ENDED)) {
      throw new IllegalStateException("the demo's process is stuck or gone: " + errors());
    }
    return line;
  }

  void tell(String line) {
    try {
      process.getOutputStream().write((line + "\n").getBytes(StandardCharsets.UTF_8));
      process.getOutputStream().flush();
    } catch (IOException e) {
      throw new UncheckedIOException("the demo's process is gone: " + errors(), e);
    }
  }

  /** {@code kill -9}: no hook runs, nothing is flushed. Returns when the process has ended. */
  void kill() throws InterruptedException {
    boolean unused = process.toHandle().destroyForcibly();
    awaitEnd();
  }

  /** Stops it with {@code SIGSTOP}: it keeps what it has, and does nothing. */
  void pause() throws InterruptedException {
    // A stopped process would not notice that this one ends.
    Runtime.getRuntime().addShutdownHook(undertaker);
    signal("-STOP");
  }

  /** Continues it. */
  void resume() throws InterruptedException {
    signal("-CONT");
    boolean unused = Runtime.getRuntime().removeShutdownHook(undertaker);
  }

  private void signal(String signal) throws InterruptedException {
    try {
      int code = new ProcessBuilder("kill", signal, Long.toString(process.pid())).start().waitFor();
      if (code != 0) {
        throw new IllegalStateException("the demo's process can't be stopped or let go on");
      }
    } catch (IOException e) {
      throw new UncheckedIOException("there is no command “kill” here", e);
    }
  }

  void awaitEnd() throws InterruptedException {
    if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
      throw new IllegalStateException("the demo's process does not end");
    }
  }

  private String errors() {
    try {
      return Files.readString(errors);
    } catch (IOException e) {
      return "it left no word";
    }
  }

  @Override
  public void close() {
    boolean unused = process.toHandle().destroyForcibly();
  }
}
