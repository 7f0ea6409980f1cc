package dev.semel.proof.fault;

import dev.semel.Key;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;

/**
 * A plain file that stands for the outside world: an effect written there has happened, even if its
 * process dies. One line is one append, so lines of several processes do not mix, and the operating
 * system keeps them when a process is killed.
 */
public final class EffectLog {
  private final Path file;
  private long counted;
  private long lines;

  public EffectLog(Path file) {
    this.file = file;
  }

  /** An event, {@code effect} or {@code takeover}, for a key, in an attempt. */
  public record Line(String what, Key key, int attempt) {}

  public void write(String what, Key key, int attempt) {
    byte[] line = (what + " " + attempt + " " + key.text() + "\n").getBytes(StandardCharsets.UTF_8);
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
      int written = channel.write(ByteBuffer.wrap(line));
      if (written != line.length) {
        throw new IOException("only " + written + " of " + line.length + " bytes were written");
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The size of the file: a cheap measure of progress. */
  public long bytes() {
    return file.toFile().length();
  }

  /** The number of lines; reads only those that are new since the last call. */
  public synchronized long lines() {
    if (bytes() == counted) {
      return lines;
    }
    try (FileChannel channel = FileChannel.open(file)) {
      ByteBuffer more = ByteBuffer.allocate(Math.toIntExact(channel.size() - counted));
      while (more.hasRemaining() && channel.read(more, counted + more.position()) >= 0) {}
      counted += more.position();
      more.flip();
      while (more.hasRemaining()) {
        lines += more.get() == '\n' ? 1 : 0;
      }
      return lines;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public List<Line> read() {
    if (Files.notExists(file)) {
      return List.of();
    }
    try {
      return Files.readAllLines(file).stream().map(EffectLog::parse).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Line parse(String line) {
    String[] parts = line.split(" ", 3);
    return new Line(parts[0], Key.parse(parts[2]), Integer.parseInt(parts[1]));
  }
}
