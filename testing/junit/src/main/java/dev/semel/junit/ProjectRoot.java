package dev.semel.junit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** Finds the repository's folder, for tests that read files of other modules. */
public final class ProjectRoot {
  private static final String POM = "pom.xml";
  private static final int MODULE_DEPTH = 3;

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

  /** A file or folder of the repository, such as {@code docs/pictures}. */
  public static Path resolve(String path) {
    return path().resolve(path);
  }
}
