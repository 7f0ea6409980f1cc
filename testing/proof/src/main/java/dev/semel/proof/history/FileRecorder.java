package dev.semel.proof.history;

import dev.semel.Key;
import dev.semel.json.Json;
import dev.semel.json.JsonObjectBuilder;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * Appends one line of JSON to a file for every beginning, end and effect, each with one write, so
 * that it survives a kill. A restarted process may continue the same file.
 *
 * <p>The clock is {@link System#nanoTime}, which all JVMs of one machine share on Linux and macOS;
 * histories of several machines can't be combined.
 */
public final class FileRecorder implements HistoryRecorder, AutoCloseable {
  private final FileOutputStream file;
  private final LongSupplier nanos = System::nanoTime;
  private final AtomicLong calls = new AtomicLong();

  public FileRecorder(Path path, String client) {
    try {
      boolean torn = isTorn(path);
      // Not a channel, because one interrupted writer would close it for all threads.
      this.file = new FileOutputStream(path.toFile(), true);
      write((torn ? "\n" : "") + HistoryLines.opened(client).write() + "\n");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Whether the last line is incomplete, so that the next one would become a part of it. */
  private static boolean isTorn(Path path) throws IOException {
    if (Files.notExists(path) || Files.size(path) == 0) {
      return false;
    }
    try (RandomAccessFile before = new RandomAccessFile(path.toFile(), "r")) {
      before.seek(before.length() - 1);
      return before.read() != '\n';
    }
  }

  @Override
  public long begin(Key key, RecordedAction action) {
    long call = calls.incrementAndGet();
    append(HistoryLines.began(call, nanos.getAsLong(), key, action));
    return call;
  }

  @Override
  public void end(long call, RecordedAnswer answer) {
    append(HistoryLines.ended(call, nanos.getAsLong(), answer));
  }

  @Override
  public void effect(Key key, int attempt, boolean takenOver, String value) {
    append(
        Json.object()
            .with("effect", nanos.getAsLong())
            .with("key", key.text())
            .with("attempt", attempt)
            .with("takenOver", takenOver)
            .with("value", value));
  }

  private void append(JsonObjectBuilder line) {
    try {
      write(line.write() + "\n");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void write(String text) throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    synchronized (file) {
      file.write(bytes);
    }
  }

  /**
   * Reads the history in all these files. A beginning without an end has no answer; a line that a
   * kill cut off is ignored.
   */
  public static History read(List<Path> files) {
    HistoryReader reader = new HistoryReader();
    files.forEach(reader::read);
    return reader.history();
  }

  @Override
  public void close() {
    try {
      file.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
