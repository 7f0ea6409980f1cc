package dev.semel.benchmarks.streams;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A server in a separate process, which prints its port when it listens. */
final class Served implements AutoCloseable {
  private final Process process;
  private final String url;

  private Served(Process process, String url) {
    this.process = process;
    this.url = url;
  }

  /** Starts a main class of ours, with a heap like a service's. */
  static Served java(Class<?> main, String... arguments) throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xms512m",
                "-Xmx512m",
                "-XX:+UseSerialGC",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                main.getName()));
    command.addAll(List.of(arguments));
    return start(new ProcessBuilder(command));
  }

  static Served node(Path folder, Path script, String... arguments) throws IOException {
    List<String> command = new ArrayList<>(List.of("node", script.toString()));
    command.addAll(List.of(arguments));
    return start(new ProcessBuilder(command).directory(folder.toFile()));
  }

  private static Served start(ProcessBuilder builder) throws IOException {
    Process process = builder.redirectError(ProcessBuilder.Redirect.INHERIT).start();
    BufferedReader output =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    String port = output.readLine();
    while (port != null && !port.matches("[0-9]+")) {
      port = output.readLine(); // passes the server's output on
    }
    if (port == null) {
      throw new IOException(builder.command() + " ended before it listened");
    }
    Thread.ofVirtual().start(() -> output.lines().forEach(line -> {}));
    return new Served(process, "http://127.0.0.1:" + port);
  }

  String url() {
    return url;
  }

  /** The process's processor time so far, in microseconds. */
  double processorMicros() {
    return process.info().totalCpuDuration().orElseThrow().toNanos() / 1_000.0;
  }

  @Override
  public void close() throws IOException {
    process.destroy();
    try {
      process.waitFor();
    } catch (InterruptedException e) {
      process.destroyForcibly();
      throw new IOException("interrupted", e);
    }
  }
}
