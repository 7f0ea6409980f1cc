package dev.semel.junit;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;

/**
 * A process that a test starts. Its output goes to a file, so that it never waits for a reader;
 * only its own handle ends it, at the latest when the test closes it.
 */
public final class TestProcess implements AutoCloseable {
  /** Options of a JVM that starts fast and stays small. */
  public static final List<String> SMALL =
      List.of(
          "-XX:+UseSerialGC",
          "-XX:TieredStopAtLevel=1",
          "-Xshare:auto",
          "-Xmx256m",
          "--enable-native-access=ALL-UNNAMED");

  private final List<String> command;
  private final Process process;
  private final Path log;

  private TestProcess(List<String> command, Process process, Path log) {
    this.command = command;
    this.process = process;
    this.log = log;
  }

  /** A tool of this JVM's JDK, such as {@code keytool}. */
  public static String tool(String name) {
    return Path.of(System.getProperty("java.home"), "bin", name).toString();
  }

  /** The command line of a JVM like this one, with the same class path. */
  public static List<String> java(List<String> flags, Class<?> main, String... arguments) {
    List<String> command = new ArrayList<>();
    command.add(tool("java"));
    command.addAll(flags);
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
    command.addAll(List.of(arguments));
    return command;
  }

  /** Starts a process; its standard output and error are merged. */
  public static TestProcess start(ProcessBuilder builder) {
    try {
      Path log = Files.createTempFile("semel-test-process-", ".log");
      builder.redirectErrorStream(true).redirectOutput(log.toFile());
      return new TestProcess(builder.command(), builder.start(), log);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public static TestProcess start(List<String> command) {
    return start(new ProcessBuilder(command));
  }

  /**
   * Runs a process to its end.
   *
   * @return its output
   * @throws AssertionError it failed; the message has its output
   */
  public static String run(ProcessBuilder builder) {
    try (TestProcess process = start(builder)) {
      int code = process.await();
      if (code != 0) {
        throw new AssertionError(process.ended(code));
      }
      return process.output();
    }
  }

  public static String run(String... command) {
    return run(new ProcessBuilder(command));
  }

  private String ended(int code) {
    return "%s ended with %d:%n%s".formatted(command.getFirst(), code, output());
  }

  public long pid() {
    return process.pid();
  }

  public boolean isAlive() {
    return process.isAlive();
  }

  /** The process's standard input. */
  public OutputStream input() {
    return process.getOutputStream();
  }

  /** The output so far. */
  public String output() {
    try {
      return new String(Files.readAllBytes(log), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Waits for a complete line that matches.
   *
   * @throws AssertionError the process ended without one
   */
  public String awaitLine(String regex) {
    Pattern pattern = Pattern.compile(regex);
    return Awaitility.await()
        .atMost(Patience.LIMIT)
        .until(() -> line(pattern), Optional::isPresent)
        .orElseThrow();
  }

  private Optional<String> line(Pattern pattern) {
    boolean over = !isAlive();
    String said = output();
    Optional<String> found =
        said.substring(0, said.lastIndexOf('\n') + 1)
            .lines()
            .filter(line -> pattern.matcher(line).matches())
            .findFirst();
    if (over && found.isEmpty()) {
      throw new AssertionError(ended(process.exitValue()));
    }
    return found;
  }

  /**
   * Waits for the process's end, without ending it.
   *
   * @return the exit code
   */
  public int await() {
    if (!endsWithin(Patience.LIMIT)) {
      throw new AssertionError("%s still runs:%n%s".formatted(command.getFirst(), output()));
    }
    return process.exitValue();
  }

  /** Waits for the process's end, up to a limit. */
  public boolean endsWithin(Duration limit) {
    try {
      return process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }

  /** Stops it by {@code SIGTERM}: its shutdown hooks run. Returns when it is gone. */
  public void stop() {
    process.destroy();
    process.onExit().join();
  }

  /** Kills it by {@code SIGKILL}: no hook runs. Returns when it is gone. */
  public void kill() {
    process.destroyForcibly();
    process.onExit().join();
  }

  @Override
  public void close() {
    kill();
    try {
      Files.deleteIfExists(log);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
