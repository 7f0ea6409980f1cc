package dev.semel.testservices;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** A temporary directory of one server or file store, with the file its log goes to. */
public final class ScratchFolder implements AutoCloseable {
  /** The end of the log is what says why a server did not start. */
  private static final int LOG_LINES_SHOWN = 30;

  /** Memory that Linux offers as a file system. */
  private static final Path MEMORY = Path.of("/dev/shm");

  /** With less than this it is left to others. */
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
   * In memory where there is plenty: a disk that others keep busy holds a server up for longer than
   * its clients wait. What a killed process has written is there too.
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

  /** What the server said last, for the message of a failure. */
  String logTail() {
    try {
      // A server may log in any encoding; a message must not fail for that.
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

  /** With all that is in it. */
  static void delete(Path directory) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    }
  }
}
