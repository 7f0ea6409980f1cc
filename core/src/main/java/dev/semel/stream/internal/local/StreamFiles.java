package dev.semel.stream.internal.local;

import dev.semel.journal.internal.JournalDisk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The data files of all streams. Only the most recently used ones are open, however many there are.
 * Safe for use by many threads: readers fetch data while the engine writes.
 */
final class StreamFiles {
  /** An open file. It stays open for its users, whatever happens to it meanwhile. */
  final class Open {
    private final JournalDisk.File file;
    private int users = 1;

    private Open(JournalDisk.File file) {
      this.file = file;
    }

    void read(ByteBuffer into, long position) throws IOException {
      file.read(into, position);
    }

    Optional<FileChannel> channel() {
      return file.channel();
    }

    /** An interrupted thread that reads a file closes it for everyone. */
    private boolean broken() {
      return !file.channel().map(FileChannel::isOpen).orElse(true);
    }

    void write(ByteBuffer from, long position) throws IOException {
      file.write(from, position);
    }

    void force() throws IOException {
      file.force();
    }

    /** Call it once for each {@link StreamFiles#open}. */
    void release() throws IOException {
      if (lastUser()) {
        file.close();
      }
    }

    private boolean lastUser() {
      synchronized (StreamFiles.this) {
        return --users == 0;
      }
    }
  }

  private final JournalDisk disk;
  private final int maxOpen;
  private final Map<String, Open> byName = new LinkedHashMap<>(16, 0.75f, true);

  StreamFiles(JournalDisk disk, int maxOpen) {
    this.disk = disk;
    this.maxOpen = maxOpen;
  }

  Open open(String name) throws IOException {
    return Objects.requireNonNull(openIf(() -> true, name));
  }

  /** Null: the file is no longer wanted; no delete can come between that check and the opening. */
  @Nullable Open openIf(BooleanSupplier wanted, String name) throws IOException {
    Deque<Open> over = new ArrayDeque<>();
    Open open;
    synchronized (this) {
      if (!wanted.getAsBoolean()) {
        return null;
      }
      Open known = byName.get(name);
      if (known != null && known.broken()) {
        byName.remove(name);
        over.add(known);
        known = null;
      }
      if (known == null) {
        open = new Open(disk.open(name));
        byName.put(name, open);
        for (Iterator<Open> i = byName.values().iterator(); byName.size() > maxOpen; i.remove()) {
          over.add(i.next());
        }
      } else {
        open = known;
      }
      open.users++;
    }
    for (Open old : over) {
      old.release();
    }
    return open;
  }

  void delete(String name) throws IOException {
    Open open;
    synchronized (this) {
      open = byName.remove(name);
      disk.delete(name);
    }
    if (open != null) {
      open.release();
    }
  }

  void close() throws IOException {
    Map<String, Open> all;
    synchronized (this) {
      all = Map.copyOf(byName);
      byName.clear();
    }
    for (Open open : all.values()) {
      open.release();
    }
  }
}
