package dev.semel.cli;

import dev.semel.junit.TestProcess;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The command in a separate process, as a shell would start it. */
public final class SemelProcess {
  private static final int LIMIT_SECONDS = 120;

  private static final List<String> COMMANDS_FLAGS =
      List.of(
          "-XX:+UseSerialGC",
          "-XX:TieredStopAtLevel=1",
          "-Xmx128m",
          "-Xshare:auto",
          "--enable-native-access=ALL-UNNAMED");

  private final Process process;
  private final Path out;
  private final Path err;

  private SemelProcess(Process process, Path out, Path err) {
    this.process = process;
    this.out = out;
    this.err = err;
  }

  /**
   * @param folder for the data folder and for the process's output
   */
  static SemelProcess start(Path folder, Path stdin, String... args) {
    return start(folder, Redirect.from(stdin.toFile()), Map.of(), args);
  }

  /** Reads the input of {@link #stdin}. */
  static SemelProcess piped(Path folder, Map<String, String> environment, String... args) {
    return start(folder, Redirect.PIPE, environment, args);
  }

  /** Starts it as the last words of another command line, which ends by becoming them. */
  static SemelProcess behind(
      List<String> words, Path folder, Map<String, String> environment, String... args) {
    return start(words, folder, Redirect.PIPE, environment, COMMANDS_FLAGS, args);
  }

  /** A server with the launcher's flags, for measurements. */
  static SemelProcess asLaunched(Path folder, String... args) {
    return start(List.of(), folder, Redirect.PIPE, Map.of(), launchersFlags(), args);
  }

  /** Read from the launcher, so that both stay equal. */
  private static List<String> launchersFlags() {
    try {
      Matcher flags =
          Pattern.compile("server_flags\\(\\) \\{\\s+flags=\\(([^)]*)\\)")
              .matcher(Files.readString(Path.of("src/main/launcher/start.sh")));
      if (!flags.find()) {
        throw new IllegalStateException("the launcher has no server_flags any more");
      }
      return List.of(flags.group(1).strip().split("\\s+"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static SemelProcess start(
      Path folder, Redirect stdin, Map<String, String> environment, String... args) {
    return start(List.of(), folder, stdin, environment, COMMANDS_FLAGS, args);
  }

  private static SemelProcess start(
      List<String> words,
      Path folder,
      Redirect stdin,
      Map<String, String> environment,
      List<String> flags,
      String... args) {
    try {
      List<String> command = new ArrayList<>(words);
      command.addAll(TestProcess.java(flags, Main.class, args));
      Path out = Files.createTempFile(folder, "out", ".txt");
      Path err = Files.createTempFile(folder, "err", ".txt");
      ProcessBuilder builder = new ProcessBuilder(command);
      builder.environment().keySet().removeIf(name -> name.startsWith("SEMEL_"));
      builder.environment().put("SEMEL_DATA", folder.resolve("data").toString());
      builder.environment().put("LC_ALL", "C.UTF-8");
      builder.directory(folder.toFile());
      builder.environment().putAll(environment);
      builder.redirectInput(stdin);
      builder.redirectOutput(out.toFile()).redirectError(err.toFile());
      return new SemelProcess(builder.start(), out, err);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public static SemelProcess start(Path folder, String... args) {
    return start(folder, Path.of("/dev/null"), args);
  }

  /** Like {@code kill}. */
  void terminate() {
    process.destroy();
  }

  /** Like Ctrl-C. */
  void interrupt() {
    String unused = TestProcess.run("kill", "-INT", Long.toString(process.pid()));
  }

  /** Like {@code kill -9}. */
  public void kill() throws InterruptedException {
    process.destroyForcibly();
    process.waitFor();
  }

  public boolean isAlive() {
    return process.isAlive();
  }

  OutputStream stdin() {
    return process.getOutputStream();
  }

  String outSoFar() throws IOException {
    return Files.readString(out, StandardCharsets.UTF_8);
  }

  String errSoFar() throws IOException {
    return Files.readString(err, StandardCharsets.UTF_8);
  }

  Cli.Result await() throws InterruptedException, IOException {
    if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
      process.destroyForcibly();
      throw new IllegalStateException("still running: " + Files.readString(err));
    }
    return new Cli.Result(
        process.exitValue(),
        Files.readAllBytes(out),
        Files.readString(err, StandardCharsets.UTF_8));
  }
}
