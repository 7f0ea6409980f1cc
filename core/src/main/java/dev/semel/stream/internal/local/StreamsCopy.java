package dev.semel.stream.internal.local;

import dev.semel.StoreException;
import dev.semel.journal.internal.Journal;
import dev.semel.journal.internal.JournalDisk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.LongConsumer;

/**
 * A copy of all streams that was made while they were in use: a snapshot, and the part of every
 * file that it refers to. It needs no journal, because nothing follows the snapshot.
 *
 * @param files how many data and index files
 * @param bytes their size
 */
public record StreamsCopy(long files, long bytes) {
  private static final int BUFFER = 1 << 20;

  /** A file, and how much of it belongs to the copy. */
  public record Part(String name, long bytes) {}

  static void add(StreamSegment chunk, List<Part> parts) {
    parts.add(new Part(chunk.dataName(), chunk.end() - chunk.start()));
    if (chunk.stored() > 0) {
      parts.add(new Part(chunk.indexName(), (long) chunk.stored() * StreamSegment.ENTRY));
    }
  }

  /** Writes the snapshot last: without it, the folder holds no streams. */
  public static StreamsCopy write(
      JournalDisk target,
      ByteBuffer snapshot,
      List<Part> parts,
      JournalStorage storage,
      LongConsumer progress)
      throws IOException {
    JournalDisk data = target.folder("streams");
    if (!target.list().isEmpty() || !data.list().isEmpty()) {
      throw new StoreException("there is something in %s already".formatted(target.where("")));
    }
    ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER);
    long bytes = 0;
    for (Part part : parts) {
      copy(part, storage.files(), data, buffer);
      bytes += part.bytes();
      progress.accept(bytes);
    }
    data.forceFolder();
    byte[] content = new byte[snapshot.remaining()];
    snapshot.duplicate().get(content);
    Journal.seed(target, out -> out.write(content));
    return new StreamsCopy(parts.size(), bytes);
  }

  private static void copy(Part part, StreamFiles from, JournalDisk to, ByteBuffer buffer)
      throws IOException {
    StreamFiles.Open source = from.open(part.name());
    try (JournalDisk.File copy = to.open(part.name())) {
      for (long at = 0; at < part.bytes(); at += buffer.limit()) {
        buffer.clear().limit((int) Math.min(buffer.capacity(), part.bytes() - at));
        source.read(buffer, at);
        if (buffer.hasRemaining()) {
          throw new IOException("%s ends too early".formatted(part.name()));
        }
        copy.write(buffer.flip(), at);
      }
      copy.force();
    } finally {
      source.release();
    }
  }
}
