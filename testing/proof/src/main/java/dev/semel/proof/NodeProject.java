package dev.semel.proof;

import dev.semel.json.Json;
import dev.semel.json.JsonValue;
import dev.semel.json.JsonValue.JsonArray;
import dev.semel.json.JsonValue.JsonObject;
import dev.semel.json.JsonValue.JsonString;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Runs tests that are written in JavaScript, such as the protocol's own suite. */
public final class NodeProject {
  private static final long INSTALL_MINUTES = 5;
  private static final long RUN_MINUTES = 5;

  /** The limit per test; the suite's five seconds are too short for a busy machine. */
  private static final Duration ONE_TEST = Duration.ofMinutes(1);

  /** A process of the test runner sometimes starts and then does nothing for a minute. */
  private static final int RUNS = 3;

  /** The results of a test file. */
  public record Result(int passed, int skipped, List<String> failed) {}

  private final Path folder;

  private NodeProject(Path folder) {
    this.folder = folder;
  }

  /**
   * Installs the packages unless those of the same list are installed. One caller at a time:
   * concurrent classes share a folder, and two installers in it would destroy each other's work.
   *
   * @param sources the folder with the tests and the list
   * @param folder where to copy and run them
   */
  public static synchronized NodeProject installed(Path sources, Path folder)
      throws IOException, InterruptedException {
    Files.createDirectories(folder);
    Path list = folder.resolve("package.json");
    Path marker = folder.resolve("installed.json");
    copySources(sources, folder);
    if (!Files.exists(marker) || Files.mismatch(list, marker) >= 0) {
      run(
          folder,
          Map.of(),
          INSTALL_MINUTES,
          folder.resolve("install.log"),
          List.of("npm", "install", "--no-audit", "--no-fund", "--loglevel=error"));
      Files.copy(list, marker, StandardCopyOption.REPLACE_EXISTING);
    }
    return new NodeProject(folder);
  }

  public Path folder() {
    return folder;
  }

  private static void copySources(Path from, Path folder) throws IOException {
    try (Stream<Path> sources = Files.list(from)) {
      for (Path source : sources.toList()) {
        Path copy = folder.resolve(source.getFileName().toString());
        // Copies only changed files, because a concurrent class may be reading the existing copy.
        if (!Files.exists(copy) || Files.mismatch(source, copy) >= 0) {
          Files.copy(source, copy, StandardCopyOption.REPLACE_EXISTING);
        }
      }
    }
  }

  /**
   * Runs a test file; repeats it when the runner ran no test at all, because that says nothing
   * about the server.
   */
  public Result run(String file, String url, Duration longPoll)
      throws IOException, InterruptedException {
    for (int attempt = 1; ; attempt++) {
      JsonObject report = report(file, url, longPoll);
      Result result = result(report);
      if (result.passed + result.failed.size() > 0) {
        return result;
      }
      String said =
          "no test of %s ran: %s%n%s"
              .formatted(file, Json.write(report), Files.readString(log(file)));
      if (attempt == RUNS) {
        throw new AssertionError(said);
      }
      System.err.println(said);
    }
  }

  private JsonObject report(String file, String url, Duration longPoll)
      throws IOException, InterruptedException {
    Path report = folder.resolve(file + ".json");
    Files.deleteIfExists(report);
    run(
        folder,
        Map.of("SEMEL_URL", url, "SEMEL_LONG_POLL_MS", Long.toString(longPoll.toMillis())),
        RUN_MINUTES,
        log(file),
        List.of(
            "node",
            "node_modules/vitest/vitest.mjs",
            "run",
            file,
            "--testTimeout=" + ONE_TEST.toMillis(),
            "--reporter=json",
            "--outputFile=" + report.getFileName()));
    return (JsonObject) Json.parse(Files.readAllBytes(report));
  }

  private Path log(String file) {
    return folder.resolve(file + ".log");
  }

  private static Result result(JsonObject report) {
    int passed = 0;
    int skipped = 0;
    List<String> failed = new ArrayList<>();
    for (JsonValue suite : items(report, "testResults")) {
      for (JsonValue each : items((JsonObject) suite, "assertionResults")) {
        JsonObject test = (JsonObject) each;
        switch (text(test, "status")) {
          case "passed" -> passed++;
          case "skipped", "pending", "todo", "disabled" -> skipped++;
          default -> failed.add(text(test, "fullName") + ": " + test.get("failureMessages"));
        }
      }
    }
    return new Result(passed, skipped, List.copyOf(failed));
  }

  private static List<JsonValue> items(JsonObject object, String name) {
    return ((JsonArray) object.get(name).orElseThrow()).items();
  }

  private static String text(JsonObject object, String name) {
    return ((JsonString) object.get(name).orElseThrow()).text();
  }

  /** Keeps the command's output in a log, and shows it when the command did not finish. */
  private static void run(
      Path folder, Map<String, String> environment, long minutes, Path log, List<String> command)
      throws IOException, InterruptedException {
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile());
    builder.environment().putAll(environment);
    Process process = builder.start();
    try {
      boolean ended = process.waitFor(minutes, TimeUnit.MINUTES);
      if (!ended) {
        throw new AssertionError("%s did not end; see %s".formatted(command, log));
      }
    } finally {
      process.destroyForcibly();
    }
    if (command.get(0).equals("npm") && process.exitValue() != 0) {
      throw new AssertionError("%s failed; see %s".formatted(command, log));
    }
  }
}
