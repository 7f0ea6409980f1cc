package dev.semel.stream;

import dev.semel.InvalidInput;
import dev.semel.StoreException;
import dev.semel.journal.internal.Journal;
import dev.semel.journal.internal.JournalDisk;
import dev.semel.loop.Platform;
import dev.semel.loop.internal.Loop;
import dev.semel.stream.internal.local.JournalStorage;
import dev.semel.stream.internal.local.StreamsCopy;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Keeps streams in a folder, where they survive crashes: every change is forced to disk before it
 * is answered. One process at a time has the folder.
 *
 * <p>The caller's thread does the writing. If it is interrupted, before or during the call, it
 * finishes writing, stays interrupted, and disturbs no other caller.
 */
public final class JournalStreams extends LocalStreams {
  private static final Duration UPKEEP_PAUSE = Duration.ofMillis(200);

  /** With more files than this to force, closing leaves the checkpoint to the next start. */
  private static final int FILES_AT_THE_END = 500;

  /**
   * Sizes and limits of an engine.
   *
   * @param checkpointBytes this much journal triggers a checkpoint, after which its space is
   *     reused; a start reads at most about this much
   * @param maxJournalBytes creates and appends are refused while the journal holds this much,
   *     because checkpoints don't keep up
   * @param chunkBytes about how much of a stream goes into one file
   * @param openFiles how many streams' files are open at a time
   */
  public record Settings(
      StreamLimits limits,
      StreamRetention retention,
      Journal.Settings journal,
      long checkpointBytes,
      long maxJournalBytes,
      long chunkBytes,
      int openFiles) {
    public Settings {
      if (checkpointBytes < 1 || maxJournalBytes < checkpointBytes) {
        throw new InvalidInput("the journal's limit must be above what leads to a checkpoint");
      }
      if (chunkBytes < 1 || openFiles < 1) {
        throw new InvalidInput("streams need at least one open file and some bytes in it");
      }
      if (limits.bodyBytes() > journal.maxRecordBytes() / 2) {
        throw new InvalidInput(
            "an append of %d bytes does not fit into the journal's segments of %d"
                .formatted(limits.bodyBytes(), journal.segmentBytes()));
      }
    }

    public static Settings defaults() {
      return new Settings(
          StreamLimits.defaults(),
          StreamRetention.FOR_EVER,
          Journal.Settings.defaults(),
          256L << 20,
          2L << 30,
          64L << 20,
          512);
    }

    public Settings with(StreamLimits other, StreamRetention kept) {
      return new Settings(
          other, kept, journal, checkpointBytes, maxJournalBytes, chunkBytes, openFiles);
    }

    public Settings withOpenFiles(int count) {
      return new Settings(
          limits, retention, journal, checkpointBytes, maxJournalBytes, chunkBytes, count);
    }
  }

  private final JournalStorage storage;
  private final Settings settings;
  private final ReentrantLock checkpoints = new ReentrantLock();
  private final AtomicBoolean copying = new AtomicBoolean();
  private final AtomicBoolean closed = new AtomicBoolean();
  private @Nullable Loop upkeep;

  private JournalStreams(InstantSource clock, Settings settings, JournalStorage storage) {
    super(clock, settings.limits(), settings.retention(), storage);
    this.settings = settings;
    this.storage = storage;
    table().touchAll(clock.millis());
  }

  /**
   * Opens the folder and recovers its streams.
   *
   * @throws dev.semel.journal.JournalException.InUse another process has it
   * @throws dev.semel.journal.JournalException.Damaged something that was committed is missing
   */
  public static JournalStreams open(Path folder, InstantSource clock, Settings settings) {
    try {
      JournalStreams streams = open(JournalDisk.at(folder), clock, settings);
      streams.upkeep = Loop.start("semel-streams", streams::upkeep, UPKEEP_PAUSE, streams::stop);
      return streams;
    } catch (IOException e) {
      throw new StoreException("can't open the streams in %s: %s".formatted(folder, e), e);
    }
  }

  /** Opens without a background loop: the caller does the upkeep. */
  static JournalStreams open(JournalDisk disk, InstantSource clock, Settings settings)
      throws IOException {
    return new JournalStreams(clock, settings, new JournalStorage(disk, settings));
  }

  /** The background work; returns true if there may be more. */
  private boolean upkeep() {
    // Not before there is enough: a process that writes little should not fill a segment with
    // zeros.
    boolean needed = storage.sinceCheckpoint() > settings.journal().segmentBytes() / 4;
    boolean prepared = needed && storage.prepare();
    if (storage.sinceCheckpoint() >= settings.checkpointBytes()) {
      checkpoint();
    }
    return prepared;
  }

  /** Makes a checkpoint, which makes the next start quick and frees the journal's space. */
  void checkpoint() {
    checkpointing(() -> true);
  }

  /**
   * Makes one checkpoint at a time, so that an older snapshot never replaces a newer one.
   *
   * @param besides runs in the same turn in which the state is captured
   */
  private <A> Taken<A> checkpointing(Supplier<A> besides) {
    checkpoints.lock();
    try {
      Taken<A> taken = quietly(() -> new Taken<>(storage.checkpoint(), besides.get()));
      force(taken.checkpoint());
      return taken;
    } finally {
      checkpoints.unlock();
    }
  }

  private record Taken<A>(JournalStorage.Checkpoint checkpoint, A besides) {}

  private void force(JournalStorage.Checkpoint checkpoint) {
    try {
      boolean unused =
          undisturbed(
              () -> {
                storage.force(checkpoint, this::pace);
                return true;
              });
    } catch (RuntimeException | Error e) {
      // Data that could not be forced may look written from now on and still be lost.
      throw stop(e);
    }
  }

  /**
   * Copies all streams, as they are at one moment, into an empty folder, while others read and
   * write. The copy is on disk when this returns, and opens like any other folder. If the copy
   * can't be written, the engine continues unharmed.
   *
   * @param progress receives the number of bytes copied so far
   * @throws InvalidInput another backup is being made
   */
  public StreamsCopy backup(Path folder, LongConsumer progress) {
    // Check before the state is captured: what a checkpoint captured must be forced in any case.
    if (!copying.compareAndSet(false, true)) {
      throw new InvalidInput("a backup of these streams is being made: wait for it");
    }
    try {
      return copy(folder, progress);
    } finally {
      copying.set(false);
    }
  }

  private StreamsCopy copy(Path folder, LongConsumer progress) {
    Taken<List<StreamsCopy.Part>> taken = checkpointing(storage::beginCopy);
    try {
      return StreamsCopy.write(
          JournalDisk.at(folder),
          taken.checkpoint().snapshot(),
          taken.besides(),
          storage,
          progress);
    } catch (IOException e) {
      throw new StoreException("the streams can't be copied to %s: %s".formatted(folder, e), e);
    } finally {
      boolean unused = quietly(storage::endCopy);
    }
  }

  /**
   * Pauses, so that the journal gets the disk for as long as copying had it, unless space is
   * urgent.
   */
  private void pace(long nanos) {
    if (!closed.get() && storage.sinceCheckpoint() < settings.maxJournalBytes() / 2) {
      Platform.REAL.park(this, nanos);
    }
  }

  /** Closes with a checkpoint if that is quick, so that the next start has little to do. */
  @Override
  public void close() {
    if (!closed.compareAndSet(false, true)) {
      return;
    }
    Loop loop = upkeep;
    if (loop != null) {
      loop.close();
    }
    try {
      // Many files would take long to force, and the journal has everything anyway.
      boolean quick = quietly(storage::unforcedFiles) <= FILES_AT_THE_END;
      if (quick && storage.sinceCheckpoint() > 0) {
        checkpoint();
      }
    } catch (StoreException e) {
      stop(e); // the journal has everything: the next start takes longer
    } finally {
      storage.close();
    }
  }
}
