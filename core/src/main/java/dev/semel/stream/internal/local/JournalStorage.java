package dev.semel.stream.internal.local;

import dev.semel.StoreException;
import dev.semel.journal.internal.Journal;
import dev.semel.journal.internal.JournalDisk;
import dev.semel.journal.internal.JournalReplay;
import dev.semel.stream.JournalStreams;
import dev.semel.stream.Offset;
import dev.semel.stream.StreamRetention;
import dev.semel.stream.internal.ChangeCodec;
import dev.semel.stream.internal.StreamChange;
import dev.semel.stream.internal.StreamState;
import dev.semel.stream.internal.StreamStorage;
import dev.semel.stream.internal.StreamTable;
import dev.semel.stream.spi.AppendBody;
import dev.semel.stream.spi.ReadFrom;
import dev.semel.stream.spi.StreamHead;
import dev.semel.stream.spi.StreamResult;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * State and data on disk. A change is one record of the journal; once it is forced there, its data
 * is copied into the stream's own file, which serves readers. Those files need no force until a
 * checkpoint: recovery writes again whatever the journal still has.
 *
 * <p>The engine guards it, except for {@link #force}.
 */
public final class JournalStorage implements StreamStorage {
  /** How many index entries a stream keeps in memory and in snapshots before they get a file. */
  private static final int INLINE_ENTRIES = 64;

  /** About the size of a record without its payload. */
  private static final int RECORD_OVERHEAD = 32;

  private static final int GATHER_BYTES = 1 << 20;
  private static final int REPLAYED_AT_A_TIME = 1 << 20;

  private final JournalStreams.Settings settings;
  private final JournalDisk data;
  private final StreamFiles files;
  private final LocalStreamReader reader;
  private final Journal journal;
  private final ChangeCodec codec = new ChangeCodec();
  private final StreamTable table = new StreamTable();
  private final Map<Long, StreamLog> logs = new HashMap<>();
  private final ByteBuffer gather = ByteBuffer.allocateDirect(GATHER_BYTES);

  /** Segments with data in memory, which is written after the commit. */
  private final Set<StreamSegment> unwritten = new LinkedHashSet<>();

  /** Segments to be deleted after the commit. */
  private final List<StreamSegment> dropped = new ArrayList<>();

  /** Files with data or index entries that are not forced. */
  private Set<String> unforced = new HashSet<>();

  /**
   * The files of the checkpoint that is being forced; a file that is deleted meanwhile is removed.
   */
  private Set<String> forcing = new HashSet<>();

  /** While a backup copies files: the files to delete after it. Null: no backup is running. */
  private @Nullable Set<String> kept;

  private final AtomicLong sinceCheckpoint = new AtomicLong();

  /** The state and files that a checkpoint has to force. */
  public record Checkpoint(
      long from, ByteBuffer snapshot, Collection<String> unforced, long bytes) {}

  public JournalStorage(JournalDisk disk, JournalStreams.Settings settings) throws IOException {
    this.settings = settings;
    this.data = disk.folder("streams");
    this.files = new StreamFiles(data, settings.openFiles());
    this.reader = new LocalStreamReader(files, data);
    try {
      this.journal = Journal.open(disk, settings.journal(), new Recovery());
    } catch (RuntimeException e) {
      closeFiles();
      throw e;
    }
    try {
      settle();
      removeStrangers();
    } catch (IOException | RuntimeException e) {
      close();
      throw e;
    }
  }

  /** Applies what the journal has. */
  private final class Recovery implements JournalReplay {
    private long unsettled;

    @Override
    public void snapshot(long from, InputStream content) throws IOException {
      StreamSnapshot.decode(ByteBuffer.wrap(content.readAllBytes()), table, logs);
    }

    @Override
    public void record(long lsn, ByteBuffer payload) throws IOException {
      int bytes = payload.remaining();
      apply(ChangeCodec.decode(payload));
      sinceCheckpoint.addAndGet(bytes + RECORD_OVERHEAD);
      unsettled += bytes;
      if (unsettled > REPLAYED_AT_A_TIME) {
        settle();
        unsettled = 0;
      }
    }
  }

  /** A crash may leave files of deleted streams; files that should exist must exist. */
  private void removeStrangers() throws IOException {
    Set<String> there = new HashSet<>(data.list());
    for (StreamLog log : logs.values()) {
      for (StreamSegment chunk : log.chunks()) {
        boolean whole = there.remove(chunk.dataName());
        whole &= there.remove(chunk.indexName()) || chunk.stored() == 0;
        if (!whole) {
          throw new StoreException(
              "a stream's data is gone: %s or its index is not there. Nothing was changed; restore the folder from a backup"
                  .formatted(data.where(chunk.dataName())));
        }
      }
    }
    for (String stranger : there) {
      data.delete(stranger);
    }
  }

  @Override
  public StreamTable table() {
    return table;
  }

  private StreamLog log(long stream) {
    return Objects.requireNonNull(logs.get(stream), "a stream without a log");
  }

  @Override
  public Optional<StreamResult.Busy> busy() {
    return sinceCheckpoint.get() < settings.maxJournalBytes()
        ? Optional.empty()
        : Optional.of(new StreamResult.Busy("journal bytes", settings.maxJournalBytes()));
  }

  @Override
  public void write(StreamChange change) {
    // All idle windows restart with the engine, so a touch need not be stored.
    if (!(change instanceof StreamChange.Touched)) {
      ByteBuffer record = codec.encode(change);
      int bytes = record.remaining();
      journal.append(record, frees(change));
      sinceCheckpoint.addAndGet(bytes + RECORD_OVERHEAD);
    }
    apply(change);
  }

  private static boolean frees(StreamChange change) {
    return change instanceof StreamChange.Deleted
        || change instanceof StreamChange.Expired
        || change instanceof StreamChange.Trimmed;
  }

  private void apply(StreamChange change) {
    List<Long> ended = table.apply(change);
    long stream = change.stream();
    switch (change) {
      case StreamChange.Created c -> {
        StreamLog log = StreamLog.of(c, c.source() == 0 ? null : log(c.source()));
        logs.put(stream, log);
        add(log, c.body(), c.at());
      }
      case StreamChange.Appended c -> add(log(stream), c.body(), c.at());
      case StreamChange.Trimmed c -> dropped.addAll(log(stream).drop(c.start().position()));
      case StreamChange.Closed c -> {}
      case StreamChange.Deleted c -> {}
      case StreamChange.Expired c -> {}
      case StreamChange.Touched c -> {}
      case StreamChange.ProducerExpired c -> {}
      case StreamChange.ProducerFenced c -> {}
    }
    for (long incarnation : ended) {
      StreamLog log = logs.remove(incarnation);
      if (log != null) {
        dropped.addAll(log.chunks());
      }
    }
  }

  private void add(StreamLog log, AppendBody body, long at) {
    if (body.length() > 0) {
      unwritten.add(log.add(body.bytes(), at, settings.chunkBytes()));
    }
  }

  @Override
  public void commit() {
    journal.commit();
    try {
      settle();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Copies committed data from the journal to where readers find it. */
  private void settle() throws IOException {
    if (!dropped.isEmpty()) {
      for (StreamSegment chunk : dropped) {
        unwritten.remove(chunk);
        remove(chunk.dataName());
        remove(chunk.indexName());
      }
      dropped.clear();
    }
    if (!unwritten.isEmpty()) {
      for (StreamSegment chunk : unwritten) {
        write(chunk);
      }
      unwritten.clear();
    }
  }

  /**
   * A crash before a backup has ended leaves files without a stream; the next start deletes them.
   */
  private void remove(String name) throws IOException {
    unforced.remove(name);
    forcing.remove(name);
    if (kept == null) {
      files.delete(name);
    } else {
      kept.add(name);
    }
  }

  private void write(StreamSegment chunk) throws IOException {
    StreamFiles.Open file = files.open(chunk.dataName());
    try {
      long position = chunk.written() - chunk.start();
      gather.clear();
      for (byte[] bytes : chunk.unwritten()) {
        if (bytes.length > gather.remaining()) {
          position = write(file, gather.flip(), position);
          gather.clear();
        }
        if (bytes.length > gather.capacity()) {
          position = write(file, ByteBuffer.wrap(bytes), position);
        } else {
          gather.put(bytes);
        }
      }
      write(file, gather.flip(), position);
    } finally {
      file.release();
    }
    chunk.wroteAll();
    unforced.add(chunk.dataName());
  }

  private static long write(StreamFiles.Open file, ByteBuffer bytes, long position)
      throws IOException {
    int length = bytes.remaining();
    if (length > 0) {
      file.write(bytes, position);
    }
    return position + length;
  }

  @Override
  public OptionalLong beyond(StreamState stream, Offset anchor, long units) {
    try {
      return reader.beyond(log(stream.incarnation()), anchor.position(), units);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public OptionalLong keptFrom(StreamState state, StreamRetention retention, long now) {
    try {
      OptionalLong start = log(state.incarnation()).keptFrom(data, retention, now);
      return start.isPresent() && start.getAsLong() > state.start().position()
          ? start
          : OptionalLong.empty();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public Supplier<StreamResult.ToRead> read(
      StreamHead head, ReadFrom from, int maxBytes, boolean toSend) {
    return reader.read(log(head.incarnation()), head, from, maxBytes, toSend);
  }

  @Override
  public long journalBytes() {
    return sinceCheckpoint();
  }

  /** How many bytes of the journal no checkpoint has; any thread may call it. */
  public long sinceCheckpoint() {
    return sinceCheckpoint.get();
  }

  public int unforcedFiles() {
    return unforced.size();
  }

  /** Captures the current state; {@link #force} writes it to disk. */
  public Checkpoint checkpoint() {
    try {
      for (StreamLog log : logs.values()) {
        for (StreamSegment chunk : log.chunks()) {
          boolean full = chunk != log.chunks().getLast();
          if (chunk.count() > (full ? 0 : INLINE_ENTRIES)) {
            // The youngest entry stays in a segment that may grow: the next entry's time depends on
            // it.
            store(chunk, full ? chunk.count() : chunk.count() - 1);
          }
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    forcing = ConcurrentHashMap.newKeySet();
    forcing.addAll(unforced);
    unforced = new HashSet<>();
    return new Checkpoint(
        journal.committed() + 1, StreamSnapshot.encode(table, logs), forcing, sinceCheckpoint());
  }

  /** Moves the oldest index entries into their file. */
  private void store(StreamSegment chunk, int count) throws IOException {
    ByteBuffer entries = ByteBuffer.allocate(count * StreamSegment.ENTRY);
    for (int i = 0; i < count; i++) {
      entries.putLong(chunk.entryEnd(i)).putLong(chunk.entryTime(i));
    }
    try (JournalDisk.File file = data.open(chunk.indexName())) {
      file.write(entries.flip(), (long) chunk.stored() * StreamSegment.ENTRY);
    }
    chunk.stored(count);
    unforced.add(chunk.indexName());
  }

  /**
   * Forces a checkpoint to disk, which takes long; other threads may write meanwhile.
   *
   * @param pace gets the time that one force took, in nanoseconds
   */
  public void force(Checkpoint checkpoint, LongConsumer pace) {
    try {
      for (String name : checkpoint.unforced()) {
        long started = System.nanoTime();
        StreamFiles.Open file = files.openIf(() -> checkpoint.unforced().contains(name), name);
        if (file == null) {
          continue; // deleted meanwhile: opening it would create it again
        }
        try {
          file.force();
        } finally {
          file.release();
        }
        pace.accept(System.nanoTime() - started);
      }
      data.forceFolder();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    byte[] bytes = checkpoint.snapshot().array();
    int length = checkpoint.snapshot().remaining();
    journal.checkpoint(checkpoint.from(), out -> out.write(bytes, 0, length));
    sinceCheckpoint.addAndGet(-checkpoint.bytes());
  }

  /**
   * The files that the snapshot of a just captured checkpoint refers to; call it in the same turn.
   * Until {@link #endCopy} none of them is deleted; appends meanwhile come after the copied part.
   */
  public List<StreamsCopy.Part> beginCopy() {
    kept = new HashSet<>();
    List<StreamsCopy.Part> parts = new ArrayList<>();
    logs.values().forEach(log -> log.chunks().forEach(chunk -> StreamsCopy.add(chunk, parts)));
    return parts;
  }

  public boolean endCopy() {
    Set<String> over = kept;
    kept = null;
    if (over == null) {
      return false;
    }
    try {
      for (String name : over) {
        files.delete(name);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return true;
  }

  StreamFiles files() {
    return files;
  }

  public boolean prepare() {
    return journal.prepare();
  }

  public void close() {
    closeFiles();
    journal.close();
  }

  private void closeFiles() {
    try {
      files.close();
    } catch (IOException e) {
      // Committed data is in the journal.
    }
  }
}
