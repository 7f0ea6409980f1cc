package dev.semel.testservices;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/**
 * Downloaded or unpacked files that all processes of this user share; the first one prepares them.
 */
final class PreparedFiles {
  /** Within one process a second file lock would throw instead of waiting, so threads use this. */
  private static final Object ONE_OF_THIS_PROCESS = new Object();

  private PreparedFiles() {}

  @FunctionalInterface
  interface Preparation {
    /**
     * Prepares the files.
     *
     * @param place where to prepare them
     * @param last where they will be moved
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

  /** A file or folder with this name; it exists completely or not at all. */
  static Path once(Path folder, String name, Preparation preparation) {
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
            // In the same folder, so that the move is atomic.
            Path beside = Files.createTempDirectory(folder, name + ".new");
            Path fresh = beside.resolve(name);
            preparation.into(fresh, wanted);
            // Copied by another process: a file that this process wrote may still be open in a
            // child that another thread just started, and then nobody can execute it.
            Path copy = beside.resolve("copy");
            copy(fresh, copy);
            Files.move(copy, wanted, StandardCopyOption.ATOMIC_MOVE);
            ScratchFolder.delete(beside);
          }
        }
      } catch (IOException e) {
        throw new UncheckedIOException("no " + name + " in " + folder, e);
      }
    }
    return wanted;
  }

  /** Copies with all attributes. */
  static void copy(Path from, Path to) throws IOException {
    run(new ProcessBuilder("cp", "-a", from.toString(), to.toString()).inheritIO());
  }

  /** Runs a command to its end. */
  static void run(ProcessBuilder command) throws IOException {
    Process process = command.start();
    try {
      if (process.waitFor() != 0) {
        throw new IOException(String.join(" ", command.command()) + " failed");
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while waiting for " + command.command().getFirst(), e);
    }
  }
}
