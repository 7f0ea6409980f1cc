package dev.semel.benchmarks.streams;

import dev.semel.benchmarks.Commands;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The load generator wrk from Debian's packages, unpacked in the build folder. */
final class Wrk {
  private static final Pattern RATE = Pattern.compile("Requests/sec:\\s+([0-9.]+)");
  private static final Pattern TOTAL = Pattern.compile("(\\d+) requests in");
  private static final Pattern REFUSED = Pattern.compile("Non-2xx or 3xx responses: (\\d+)");
  private static final Pattern BROKEN = Pattern.compile("Socket errors: (.*)");

  private final Path program;
  private final Path libraries;
  private final Path scripts;

  /**
   * The result of a run.
   *
   * @param median of the latencies, in microseconds
   */
  record Result(double rate, long requests, double median, double p99) {}

  private Wrk(Path program, Path libraries, Path scripts) {
    this.program = program;
    this.libraries = libraries;
    this.scripts = scripts;
  }

  static Wrk in(Path folder) throws IOException {
    Path packages = Files.createDirectories(folder.resolve("wrk"));
    Path root = packages.resolve("root");
    if (!Files.exists(root)) {
      download(packages);
      try (Stream<Path> files = Files.list(packages)) {
        for (Path file : files.filter(f -> f.toString().endsWith(".deb")).toList()) {
          Commands.run(packages, "dpkg", "-x", file.toString(), root.toString());
        }
      }
    }
    Path libraries;
    try (Stream<Path> all = Files.walk(root)) {
      libraries =
          all.filter(f -> f.getFileName().toString().matches("libluajit.*[.]so[.].*"))
              .findFirst()
              .map(Path::getParent)
              .orElseThrow(() -> new IOException("wrk's package came without its library"));
    }
    return new Wrk(root.resolve("usr/bin/wrk"), libraries, packages);
  }

  private static void download(Path folder) throws IOException {
    String[] command = {
      "apt-get", "download", "-q", "wrk", "libluajit-5.1-2", "libluajit-5.1-common"
    };
    try {
      Commands.run(folder, command);
    } catch (IOException e) {
      Commands.run(folder, "apt-get", "update", "-q"); // a new machine has no package lists yet
      Commands.run(folder, command);
    }
  }

  /** A script that creates requests; see wrk's documentation. */
  Path script(String name, String text) throws IOException {
    return Files.writeString(scripts.resolve(name + ".lua"), text);
  }

  Result run(int connections, int seconds, Path script, String url) throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of(
                program.toString(),
                "-t1",
                "-c" + connections,
                "-d" + seconds + "s",
                "--timeout",
                "10s",
                "-s",
                script.toString(),
                "--latency",
                url));
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().put("LD_LIBRARY_PATH", libraries.toString());
    String output = Commands.output(builder);
    for (Pattern bad : List.of(REFUSED, BROKEN)) {
      Matcher found = bad.matcher(output);
      if (found.find()) {
        throw new IOException("the load was not served: " + found.group());
      }
    }
    return new Result(
        Double.parseDouble(find(RATE, output)),
        Long.parseLong(find(TOTAL, output)),
        latency("50%", output),
        latency("99%", output));
  }

  private static String find(Pattern pattern, String output) throws IOException {
    Matcher found = pattern.matcher(output);
    if (!found.find()) {
      throw new IOException("wrk said something else than expected:\n" + output);
    }
    return found.group(1);
  }

  private static double latency(String percentile, String output) throws IOException {
    String text = find(Pattern.compile(percentile + "\\s+([0-9.]+(?:us|ms|s))"), output);
    String lower = text.toLowerCase(Locale.ROOT);
    double value = Double.parseDouble(lower.replaceAll("[a-z]+", ""));
    return lower.endsWith("us") ? value : lower.endsWith("ms") ? value * 1_000 : value * 1_000_000;
  }
}
