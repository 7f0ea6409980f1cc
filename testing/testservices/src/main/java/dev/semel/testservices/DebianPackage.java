package dev.semel.testservices;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Downloads packages of Debian {@value #SUITE} or of this machine's own suite, on any Debian, from
 * the machine's package source. Does not install them, and leaves the machine's package lists
 * alone.
 */
final class DebianPackage {
  static final String SUITE = "trixie";
  private static final int MINUTES = 5;
  private static final Path SOURCES = Path.of("/etc/apt");
  private static final Pattern SUITES_LINE = Pattern.compile("(?m)^Suites:.*$");
  private static final Pattern ONE_LINE =
      Pattern.compile("^(deb\\s+(?:\\[[^]]*]\\s+)?\\S+)\\s+(\\S+)\\s+(.*)$");

  private DebianPackage() {}

  /**
   * Extracts a package.
   *
   * @return a folder with its files
   */
  static Path extract(String name, ScratchFolder scratch) throws IOException {
    return extract(List.of(name), SUITE, scratch);
  }

  /**
   * Extracts several packages. Their dependencies must be among them, or installed.
   *
   * @return a folder with all files
   */
  static Path extract(List<String> names, String suite, ScratchFolder scratch) throws IOException {
    Path sources = Files.createDirectories(scratch.path("sources"));
    Files.createDirectories(scratch.path("lists/partial"));
    Files.createDirectories(scratch.path("cache/archives/partial"));
    Path downloads = Files.createDirectories(scratch.path("downloads"));
    Entry entry =
        entry(SOURCES, codename(), suite)
            .orElseThrow(
                () ->
                    new IllegalStateException(
                        "this machine has no package source of Debian, so there is no %s: install it, or set %s if it is NATS"
                            .formatted(names.getLast(), NatsBinary.VARIABLE)));
    Files.writeString(sources.resolve(entry.fileName()), entry.text());
    run(scratch, downloads, apt(scratch, "update"));
    List<String> download = new ArrayList<>(List.of("download"));
    download.addAll(names);
    run(scratch, downloads, apt(scratch, download.toArray(String[]::new)));
    Path files = scratch.path("files");
    try (Stream<Path> found = Files.list(downloads)) {
      for (Path archive : found.toList()) {
        run(scratch, downloads, List.of("dpkg", "-x", archive.toString(), files.toString()));
      }
    }
    return files;
  }

  /** A package source in one of apt's two formats. */
  record Entry(String fileName, String text) {}

  /** The machine's package source, changed to the other suite. */
  static Optional<Entry> entry(Path folder, String codename, String suite) throws IOException {
    List<Path> files = new ArrayList<>(List.of(folder.resolve("sources.list")));
    Path parts = folder.resolve("sources.list.d");
    if (Files.isDirectory(parts)) {
      try (Stream<Path> found = Files.list(parts)) {
        found.sorted().forEach(files::add);
      }
    }
    for (Path file : files) {
      String name = file.getFileName().toString();
      if (Files.isReadable(file) && name.endsWith(".list")) {
        Optional<Entry> entry = inLines(Files.readAllLines(file), codename, suite);
        if (entry.isPresent()) {
          return entry;
        }
      } else if (Files.isReadable(file) && name.endsWith(".sources")) {
        Optional<Entry> entry = inParagraphs(Files.readString(file), codename, suite);
        if (entry.isPresent()) {
          return entry;
        }
      }
    }
    return Optional.empty();
  }

  private static Optional<Entry> inLines(List<String> lines, String codename, String suite) {
    return lines.stream()
        .map(ONE_LINE::matcher)
        .filter(line -> line.matches() && line.group(2).equals(codename))
        .map(line -> line.group(1) + " " + suite + " main\n")
        .map(text -> new Entry("suite.list", text))
        .findFirst();
  }

  private static Optional<Entry> inParagraphs(String text, String codename, String suite) {
    Pattern ours = Pattern.compile("(?m)^Suites:(.*\\s)?" + Pattern.quote(codename) + "(\\s.*)?$");
    return Stream.of(text.split("\n\\s*\n"))
        .filter(paragraph -> ours.matcher(paragraph).find())
        .map(paragraph -> SUITES_LINE.matcher(paragraph).replaceAll("Suites: " + suite))
        .map(paragraph -> new Entry("suite.sources", paragraph + "\n"))
        .findFirst();
  }

  /** This machine's suite. */
  static String codename() throws IOException {
    return Files.readAllLines(Path.of("/etc/os-release")).stream()
        .filter(line -> line.startsWith("VERSION_CODENAME="))
        .map(line -> line.substring(line.indexOf('=') + 1).replace("\"", ""))
        .findFirst()
        .orElse(SUITE);
  }

  private static List<String> apt(ScratchFolder scratch, String... arguments) {
    List<String> command = new ArrayList<>(List.of("apt-get", "-q"));
    List<String> options =
        List.of(
            "Dir::Etc::sourcelist=/dev/null",
            "Dir::Etc::sourceparts=" + scratch.path("sources"),
            "Dir::State::lists=" + scratch.path("lists"),
            "Dir::Cache=" + scratch.path("cache"),
            // The folder is private, so apt's sandbox user could not read it.
            "APT::Sandbox::User=root");
    options.forEach(option -> command.addAll(List.of("-o", option)));
    command.addAll(List.of(arguments));
    return command;
  }

  private static void run(ScratchFolder scratch, Path folder, List<String> command)
      throws IOException {
    Process process =
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(scratch.log().toFile())
            .start();
    try {
      if (!process.waitFor(MINUTES, TimeUnit.MINUTES) || process.exitValue() != 0) {
        process.destroyForcibly();
        throw new IllegalStateException(
            "%s failed: set %s if it is NATS, or let this machine reach its package source. It said:%n%s"
                .formatted(command.getFirst(), NatsBinary.VARIABLE, scratch.logTail()));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      process.destroyForcibly();
      throw new IllegalStateException("interrupted while " + command.getFirst() + " ran", e);
    }
  }
}
