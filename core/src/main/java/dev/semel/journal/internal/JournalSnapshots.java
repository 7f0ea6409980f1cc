package dev.semel.journal.internal;

import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.zip.CRC32C;
import java.util.zip.CheckedInputStream;
import java.util.zip.CheckedOutputStream;

/**
 * Snapshots of the state up to a record. A snapshot gets its name only when all of it is on disk,
 * and the previous one stays until then.
 */
final class JournalSnapshots {
  private static final String SUFFIX = ".snapshot";
  private static final String UNFINISHED = "snapshot.tmp";
  private static final long MAGIC = 0x53454D454C533031L; // SEMELS01
  private static final int HEADER = 2 * Long.BYTES;
  private static final int TRAILER = Long.BYTES;

  private final JournalDisk disk;

  JournalSnapshots(JournalDisk disk) {
    this.disk = disk;
  }

  /**
   * Where replay starts.
   *
   * @param from the first record that is not in the snapshot
   * @param name empty if there is no readable snapshot
   * @param damaged newer ones that can't be read
   */
  record Newest(long from, Optional<String> name, List<String> damaged) {}

  Newest newest() throws IOException {
    List<String> damaged = new ArrayList<>();
    List<String> names =
        disk.list().stream()
            .filter(name -> name.matches("[0-9]{19}\\" + SUFFIX))
            .sorted(Comparator.reverseOrder())
            .toList();
    for (String name : names) {
      long from = Long.parseLong(name.substring(0, name.length() - SUFFIX.length()));
      if (isWhole(name, from)) {
        return new Newest(from, Optional.of(name), damaged);
      }
      damaged.add(name);
    }
    return new Newest(Journal.FIRST, Optional.empty(), damaged);
  }

  private boolean isWhole(String name, long from) throws IOException {
    try (JournalDisk.File file = disk.open(name)) {
      long size = file.size();
      if (size < HEADER + TRAILER) {
        return false;
      }
      ByteBuffer header = ByteBuffer.allocate(HEADER);
      file.read(header, 0);
      ByteBuffer trailer = ByteBuffer.allocate(TRAILER);
      file.read(trailer, size - TRAILER);
      CheckedInputStream all =
          new CheckedInputStream(new FileInput(file, 0, size - TRAILER), new CRC32C());
      all.transferTo(OutputStream.nullOutputStream());
      return header.getLong(0) == MAGIC
          && header.getLong(Long.BYTES) == from
          && trailer.getLong(0) == all.getChecksum().getValue();
    }
  }

  void read(String name, long from, JournalReplay replay) throws IOException {
    try (JournalDisk.File file = disk.open(name);
        InputStream content = new FileInput(file, HEADER, file.size() - TRAILER)) {
      replay.snapshot(from, content);
    }
  }

  /** Writes a snapshot to disk, then deletes older ones. */
  synchronized void write(long from, Journal.Content content) throws IOException {
    disk.delete(UNFINISHED);
    try (JournalDisk.File file = disk.open(UNFINISHED)) {
      write(file, from, content);
      file.force();
    }
    String name = String.format(Locale.ROOT, "%019d%s", from, SUFFIX);
    disk.rename(UNFINISHED, name);
    disk.forceFolder();
    for (String other : disk.list()) {
      if (other.endsWith(SUFFIX) && !other.equals(name)) {
        disk.delete(other);
      }
    }
  }

  private static void write(JournalDisk.File file, long from, Journal.Content content)
      throws IOException {
    CheckedOutputStream checked = new CheckedOutputStream(new FileOutput(file), new CRC32C());
    DataOutputStream out = new DataOutputStream(checked);
    out.writeLong(MAGIC);
    out.writeLong(from);
    content.writeTo(out);
    out.writeLong(checked.getChecksum().getValue());
    out.flush();
  }
}
