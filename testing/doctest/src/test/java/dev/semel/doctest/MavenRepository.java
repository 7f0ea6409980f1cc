package dev.semel.doctest;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** Local repositories of Maven, so that a test installs nothing into the user's own. */
final class MavenRepository {
  private MavenRepository() {}

  /** What this build has downloaded. */
  static Path known() {
    String given = System.getProperty("localRepository");
    return given != null
        ? Path.of(given)
        : Path.of(System.getProperty("user.home"), ".m2", "repository");
  }

  /**
   * The known one by links, but for our own artifacts: those that are installed here stay here.
   *
   * @param folder is made
   */
  static Path withoutOurs(Path folder) throws IOException {
    link(known(), folder, Set.of("dev"));
    link(known().resolve("dev"), folder.resolve("dev"), Set.of("semel"));
    return folder;
  }

  private static void link(Path from, Path to, Set<String> leftOut) throws IOException {
    Files.createDirectories(to);
    if (!Files.isDirectory(from)) {
      return;
    }
    List<Path> entries;
    try (Stream<Path> all = Files.list(from)) {
      entries = all.toList();
    }
    for (Path entry : entries) {
      String name = entry.getFileName().toString();
      if (!leftOut.contains(name)) {
        Files.createSymbolicLink(to.resolve(name), entry.toAbsolutePath());
      }
    }
  }
}
