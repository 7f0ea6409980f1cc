package dev.semel.benchmarks.streams;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A server in a process of its own, which prints its port when it listens. */
final class Served implements AutoCloseable {
  private final Process process;
  private final String url;

  private Served(Process process, String url) {
    this.process = process;
    this.url = url;
  }

  /** A main class of ours; a heap as a service would have it. */
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
    return start(new ProcessBuilder(command), "");
  }

  static Served node(Path folder, Path script, String... arguments) throws IOException {
    List<String> command = new ArrayList<>(List.of("node", script.toString()));
    command.addAll(List.of(arguments));
    return start(new ProcessBuilder(command).directory(folder.toFile()), "");
  }

  private static Served start(ProcessBuilder builder, String path) throws IOException {
    Process process = builder.redirectError(ProcessBuilder.Redirect.INHERIT).start();
    BufferedReader output =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    String port = output.readLine();
    if (port == null) {
      throw new IOException(builder.command() + " ended before it listened");
    }
    Thread.ofVirtual().start(() -> output.lines().forEach(line -> {}));
    return new Served(process, "http://127.0.0.1:" + port.strip() + path);
  }

  String url() {
    return url;
  }

  /** Processor time of the process so far, in microseconds. */
  double processorMicros() throws IOException {
    String stat = Files.readString(Path.of("/proc", Long.toString(process.pid()), "stat"));
    String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
    long ticks = Long.parseLong(fields[11]) + Long.parseLong(fields[12]);
    return ticks * 10_000.0; // a tick is a hundredth of a second on Linux
  }

  @Override
  public void close() throws IOException {
    try (OutputStream in = process.getOutputStream()) {
      process.destroy();
      process.waitFor();
    } catch (InterruptedException e) {
      process.destroyForcibly();
      throw new IOException("interrupted", e);
    }
  }
}
