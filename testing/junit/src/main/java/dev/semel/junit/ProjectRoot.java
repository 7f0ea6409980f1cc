package dev.semel.junit;

import java.nio.file.Files;
import java.nio.file.Path;

/** Where the repository lies, for tests that read files of other modules. */
public final class ProjectRoot {
  private ProjectRoot() {}

  /** The folder that holds Maven's settings, which is at or above the working directory. */
  public static Path path() {
    Path start = Path.of("").toAbsolutePath();
    for (Path folder = start; folder != null; folder = folder.getParent()) {
      if (Files.isDirectory(folder.resolve(".mvn"))) {
        return folder;
      }
    }
    throw new IllegalStateException(start + " lies in no repository: no folder above it has .mvn");
  }

  /** A file or folder of the repository, such as {@code docs/pictures}. */
  public static Path resolve(String path) {
    return path().resolve(path);
  }
}
