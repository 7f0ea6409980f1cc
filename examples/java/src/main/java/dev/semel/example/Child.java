package dev.semel.example;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Another example program in a separate process that can be killed. */
public final class Child implements AutoCloseable {
  private final Process process;
  private final BufferedReader output;

  private Child(Process process) {
    this.process = process;
    this.output = process.inputReader(StandardCharsets.UTF_8);
  }

  public static Child start(Class<?> main, String... arguments) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xmx128m"));
    command.add("--enable-native-access=ALL-UNNAMED");
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
    command.addAll(List.of(arguments));
    try {
      return new Child(
          new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Waits for the next line of its output. */
  public String line() {
    try {
      String line = output.readLine();
      if (line == null) {
        throw new IllegalStateException("it ended without a word");
      }
      return line;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public void tell(Iterable<String> lines) {
    try {
      for (String line : lines) {
        process.outputWriter(StandardCharsets.UTF_8).write(line + "\n");
      }
      process.outputWriter(StandardCharsets.UTF_8).flush();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Ends its standard input. */
  public void endOfInput() {
    try {
      process.outputWriter(StandardCharsets.UTF_8).close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Kills it by {@code kill -9}. Returns when it is gone. */
  public void kill() {
    process.destroyForcibly().onExit().join();
  }

  /** Waits for its own end. */
  public void await() {
    if (process.onExit().join().exitValue() != 0) {
      throw new IllegalStateException("it ended with " + process.exitValue());
    }
  }

  @Override
  public void close() {
    kill();
  }
}
