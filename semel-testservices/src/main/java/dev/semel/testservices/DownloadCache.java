package dev.semel.testservices;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/** What was downloaded before, by whomever; whoever comes first does it for all of this user. */
final class DownloadCache {
  /** A file lock keeps processes apart; within one it would throw instead of waiting. */
  private static final Object ONE_OF_THIS_PROCESS = new Object();

  private DownloadCache() {}

  @FunctionalInterface
  interface Download {
    /**
     * Makes it.
     *
     * @param place where, for now
     * @param last where it will be
     */
    void into(Path place, Path last) throws IOException;
  }

  static Path folder() {
    String named = System.getenv("XDG_CACHE_HOME");
    Path caches =
        named == null || named.isEmpty()
            ? Path.of(System.getProperty("user.home"), ".cache")
            : Path.of(named);
    return caches.resolve("semel");
  }

  /** A file or a folder of that name, which is there whole or not at all. */
  static Path once(Path folder, String name, Download download) {
    Path wanted = folder.resolve(name);
    if (Files.exists(wanted)) {
      return wanted;
    }
    synchronized (ONE_OF_THIS_PROCESS) {
      try {
        Files.createDirectories(folder);
        try (FileChannel channel =
                FileChannel.open(
                    folder.resolve(name + ".lock"),
                    StandardOpenOption.CREATE,
                    StandardOpenOption.WRITE);
            FileLock lock = channel.lock()) {
          if (lock.isValid() && !Files.exists(wanted)) {
            // Beside its last place, so that moving it is one step.
            Path beside = Files.createTempDirectory(folder, name + ".new");
            download.into(beside.resolve(name), wanted);
            Files.move(beside.resolve(name), wanted, StandardCopyOption.ATOMIC_MOVE);
            Files.delete(beside);
          }
        }
      } catch (IOException e) {
        throw new UncheckedIOException("no " + name + " in " + folder, e);
      }
    }
    return wanted;
  }
}
