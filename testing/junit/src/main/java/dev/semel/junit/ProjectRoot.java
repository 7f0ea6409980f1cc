package dev.semel.junit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Set;
import java.util.stream.Stream;

/** Finds the repository's folder, for tests that read files of other modules. */
public final class ProjectRoot {
  private static final String POM = "pom.xml";
  private static final int MODULE_DEPTH = 3;
  private static final Set<String> NO_SOURCES = Set.of(".git", "target", "node_modules");

  private ProjectRoot() {}

  /** The folder with Maven's settings, which is the working directory or above it. */
  public static Path path() {
    Path start = Path.of("").toAbsolutePath();
    for (Path folder = start; folder != null; folder = folder.getParent()) {
      if (Files.isDirectory(folder.resolve(".mvn"))) {
        return folder;
      }
    }
    throw new IllegalStateException(start + " lies in no repository: no folder above it has .mvn");
  }

  /** The folder of the module with this artifact, such as {@code semel-core}. */
  public static Path module(String artifact) {
    try (Stream<Path> files = Files.find(path(), MODULE_DEPTH, (file, a) -> file.endsWith(POM))) {
      return files
          .filter(pom -> artifactOf(pom).equals(artifact))
          .map(Path::getParent)
          .findFirst()
          .orElseThrow(() -> new IllegalStateException("no POM is that of " + artifact));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The artifact of a POM: its first {@code artifactId} after that of its parent. */
  public static String artifactOf(Path pom) {
    try {
      return Files.readString(pom)
          .replaceFirst("(?s)(?:.*?</parent>)?.*?<artifactId>(.*?)</artifactId>.*", "$1");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Copies what a fresh clone would have, and what is not committed yet: no builds, no history.
   *
   * @return the copy
   */
  public static Path copyTo(Path copy) {
    Path root = path();
    try {
      Files.walkFileTree(
          root,
          new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes)
                throws IOException {
              if (NO_SOURCES.contains(folder.getFileName().toString())) {
                return FileVisitResult.SKIP_SUBTREE;
              }
              Files.createDirectories(copy.resolve(root.relativize(folder)));
              return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
                throws IOException {
              // In a worktree it is a file.
              if (attributes.isRegularFile() && !file.getFileName().toString().equals(".git")) {
                Files.copy(file, copy.resolve(root.relativize(file)));
              }
              return FileVisitResult.CONTINUE;
            }
          });
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return copy;
  }

  /** A file or folder of the repository, such as {@code docs/pictures}. */
  public static Path resolve(String path) {
    return path().resolve(path);
  }
}
