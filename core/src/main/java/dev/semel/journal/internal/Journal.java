package dev.semel.journal.internal;

import dev.semel.InvalidInput;
import dev.semel.journal.JournalException;
import dev.semel.loop.Platform;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A write-ahead log. Records get growing numbers (LSNs) when they are appended, and are durable
 * once {@link #commit} has returned: in order, once, whatever crashes. Uncommitted records may be
 * there too, but only those right after the committed ones, without gaps.
 *
 * <p>One thread at a time appends and commits; {@link #prepare}, {@link #checkpoint}, {@link
 * #committed} and {@link #close} may be called from any other. Once the disk has failed, every call
 * throws the same {@link JournalException.Failed}. A thread that is interrupted while it writes
 * continues, and stays interrupted.
 */
public final class Journal implements AutoCloseable {
  /** The number of the first record. */
  static final long FIRST = 1;

  private final Settings settings;
  private final JournalDisk disk;
  private final Closeable lock;
  private final RecordFormat format;
  private final JournalSegments segments;
  private final JournalSnapshots snapshots;
  private final RecordBatch batch;
  private long appended;
  private volatile long forced;
  private volatile JournalException.@Nullable Failed failure;
  private boolean closed;

  /**
   * Sizes.
   *
   * @param segmentBytes the size of each file; no record can be larger
   * @param bufferBytes how many bytes are collected before a write; larger records are written in
   *     parts
   * @param reserveBytes bytes that must stay free on the disk, so that snapshots can still be
   *     written
   */
  public record Settings(int segmentBytes, int bufferBytes, long reserveBytes) {
    public Settings {
      if (segmentBytes <= SegmentHeader.BYTES + RecordFormat.RECORD_HEADER
          || segmentBytes % RecordFormat.ALIGNMENT != 0) {
        throw new InvalidInput(
            "a segment needs more than %d bytes, and a multiple of %d"
                .formatted(
                    SegmentHeader.BYTES + RecordFormat.RECORD_HEADER, RecordFormat.ALIGNMENT));
      }
      if (bufferBytes <= 0 || reserveBytes < 0) {
        throw new InvalidInput("the buffer needs some bytes, and the reserve can't be negative");
      }
    }

    public static Settings defaults() {
      return new Settings(64 << 20, 1 << 20, 256L << 20);
    }

    /** The largest payload. */
    public int maxRecordBytes() {
      return segmentBytes - SegmentHeader.BYTES - RecordFormat.RECORD_HEADER;
    }
  }

  /** Writes the content of a snapshot. */
  @FunctionalInterface
  public interface Content {
    void writeTo(OutputStream out) throws IOException;
  }

  private Journal(JournalDisk disk, Settings settings, Closeable lock, JournalRecovery.Tail tail)
      throws IOException {
    this.disk = disk;
    this.settings = settings;
    this.lock = lock;
    this.format = tail.format();
    this.segments = tail.segments();
    this.snapshots = new JournalSnapshots(disk);
    this.batch =
        new RecordBatch(settings.bufferBytes(), format, disk.open(tail.name()), tail.position());
    this.appended = tail.next() - 1;
    this.forced = appended;
  }

  /**
   * Opens the folder; replays its content before it returns.
   *
   * @throws JournalException.InUse another process has the folder
   * @throws JournalException.Damaged something that was committed is missing
   */
  public static Journal open(JournalDisk disk, Settings settings, JournalReplay replay) {
    return open(disk, settings, replay, RecordFormat.fresh(Platform.REAL));
  }

  static Journal open(
      JournalDisk disk, Settings settings, JournalReplay replay, RecordFormat fresh) {
    try {
      Closeable lock = disk.lock();
      try {
        // A killed process may have left files that a power failure would still remove.
        disk.forceFolder();
        JournalSnapshots snapshots = new JournalSnapshots(disk);
        JournalSnapshots.Newest newest = snapshots.newest();
        if (newest.name().isPresent()) {
          snapshots.read(newest.name().get(), newest.from(), replay);
        }
        JournalRecovery.Tail tail = new JournalRecovery(disk, settings, newest, replay).run(fresh);
        return new Journal(disk, settings, lock, tail);
      } catch (IOException | RuntimeException | Error e) {
        lock.close();
        throw e;
      }
    } catch (IOException e) {
      throw new JournalException.Failed(
          "can't open the journal in %s: %s".formatted(disk.where(""), e), e);
    }
  }

  /** Creates a new journal, in a folder without one, that begins with this snapshot. */
  public static void seed(JournalDisk disk, Content content) throws IOException {
    new JournalSnapshots(disk).write(FIRST, content);
  }

  /**
   * Adds the remaining bytes of the payload to the batch; they are not durable before {@link
   * #commit}.
   *
   * @return the record's number
   * @throws JournalException.Full the disk is nearly full; records added before can be committed
   */
  public long append(ByteBuffer payload) {
    return append(payload, false);
  }

  /**
   * Adds a record, optionally from the reserved space.
   *
   * @param intoReserve true: the record may use the reserve, because it will free some space
   */
  public long append(ByteBuffer payload, boolean intoReserve) {
    int length = payload.remaining();
    if (length == 0 || length > settings.maxRecordBytes()) {
      throw new InvalidInput(
          "a record has between 1 and %d bytes, not %d"
              .formatted(settings.maxRecordBytes(), length));
    }
    checkRunning();
    try {
      if (appended == forced && !intoReserve) {
        checkReserve();
      }
      if (!batch.fits(length)) {
        roll();
      }
      batch.add(appended + 1, forced, payload);
      return ++appended;
    } catch (JournalException.Full e) {
      throw e;
    } catch (IOException | RuntimeException | Error e) {
      throw stopped(e);
    }
  }

  private void checkReserve() throws IOException {
    long usable = disk.usableBytes();
    if (usable < settings.reserveBytes()) {
      throw new JournalException.Full(
          "only %d bytes are left in %s, less than the reserve of %d"
              .formatted(usable, disk.where(""), settings.reserveBytes()));
    }
  }

  /** Forces the old segment before it writes the new one's header: recovery depends on that. */
  private void roll() throws IOException {
    String next = segments.take();
    batch.force();
    forced = appended;
    batch.moveTo(segments.begin(next, format.id(), appended + 1));
  }

  /** Forces all appended records to disk. */
  public void commit() {
    checkRunning();
    if (appended == forced) {
      return;
    }
    try {
      batch.force();
      forced = appended;
    } catch (IOException | RuntimeException | Error e) {
      throw stopped(e);
    }
  }

  /** The last record that is durable. */
  public long committed() {
    return forced;
  }

  /** Makes a segment in advance, so that appending need not. False: there is one, or no room. */
  public boolean prepare() {
    checkRunning();
    try {
      return segments.prepare();
    } catch (IOException | RuntimeException | Error e) {
      throw stopped(e);
    }
  }

  /**
   * Writes a snapshot; its records are no longer needed afterwards.
   *
   * @param from the first record that is not in it
   */
  public void checkpoint(long from, Content content) {
    if (from > forced + 1) {
      throw new IllegalStateException(
          "record %d can't be in a snapshot: %d is the last committed".formatted(from - 1, forced));
    }
    checkRunning();
    try {
      snapshots.write(from, content);
      segments.releaseBelow(from);
    } catch (IOException | RuntimeException | Error e) {
      throw stopped(e);
    }
  }

  private void checkRunning() {
    JournalException.Failed failed = failure;
    if (failed != null) {
      throw failed;
    }
  }

  /** After an error nobody can know what is on disk, so nothing may follow it. */
  private synchronized JournalException.Failed stopped(Throwable cause) {
    JournalException.Failed failed = failure;
    if (failed == null) {
      failed =
          new JournalException.Failed(
              "the journal in %s has stopped: %s".formatted(disk.where(""), cause), cause);
      failure = failed;
    }
    return failed;
  }

  /** Uncommitted records are lost. */
  @Override
  public synchronized void close() {
    if (closed) {
      return;
    }
    closed = true;
    try (lock) {
      batch.close();
    } catch (IOException e) {
      // Committed records are on disk; the lock ends with the process at the latest.
    }
  }
}
