package dev.semel.testservices;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** A temporary directory of one server or file store, with its log file. */
public final class ScratchFolder implements AutoCloseable {
  /** The end of the log explains why a server did not start. */
  private static final int LOG_LINES_SHOWN = 30;

  /** Linux's file system in memory. */
  private static final Path MEMORY = Path.of("/dev/shm");

  /** With less free memory than this, the disk is used. */
  private static final long MEMORY_BYTES = 8L << 30;

  private final Path directory;

  public ScratchFolder(String service) {
    try {
      this.directory = Files.createTempDirectory(place(), "semel-" + service + "-");
    } catch (IOException e) {
      throw new UncheckedIOException("no temporary directory for " + service, e);
    }
  }

  /**
   * In memory if there is plenty: a disk that others use heavily delays a server for longer than
   * its clients wait. Memory also keeps what a killed process has written.
   */
  private static Path place() throws IOException {
    return Files.isWritable(MEMORY) && Files.getFileStore(MEMORY).getUsableSpace() >= MEMORY_BYTES
        ? MEMORY
        : Path.of(System.getProperty("java.io.tmpdir"));
  }

  public Path path(String name) {
    return directory.resolve(name);
  }

  Path log() {
    return path("server.log");
  }

  /** The server's last lines, for a failure's message. */
  String logTail() {
    try {
      // A server may log in any encoding, which must not make the message fail.
      String text = new String(Files.readAllBytes(log()), StandardCharsets.UTF_8);
      List<String> lines = text.lines().toList();
      return String.join(
          "\n", lines.subList(Math.max(0, lines.size() - LOG_LINES_SHOWN), lines.size()));
    } catch (IOException e) {
      return "(it left no log)";
    }
  }

  @Override
  public void close() {
    if (!Files.exists(directory)) {
      return;
    }
    try {
      delete(directory);
    } catch (IOException e) {
      throw new UncheckedIOException("could not delete " + directory, e);
    }
  }

  /** Deletes a directory with its contents. */
  static void delete(Path directory) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    }
  }
}
