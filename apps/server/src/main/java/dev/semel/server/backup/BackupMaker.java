package dev.semel.server.backup;

import dev.semel.InvalidInput;
import dev.semel.StoreException;
import dev.semel.admin.Backup;
import dev.semel.idempotency.spi.FileBackedStore;
import dev.semel.idempotency.spi.Store;
import dev.semel.stream.JournalStreams;
import dev.semel.stream.internal.local.StreamsCopy;
import dev.semel.stream.spi.Streams;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.ObjLongConsumer;
import java.util.regex.Pattern;

/**
 * Backs up the store's and the streams' files of this machine while they are in use; {@code
 * ServerBackend.withBackups} lets operators request that.
 */
public record BackupMaker(Optional<FileBackedStore> store, Optional<JournalStreams> streams) {
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_-][A-Za-z0-9._-]{0,63}");

  /** Step of a backup. */
  public enum Step {
    COPYING_STORE,
    /** Reported with the bytes copied so far. */
    COPYING_STREAMS,
    LISTING
  }

  /** Selects what an opened store and streams keep in files. */
  public static BackupMaker of(Store store, Streams streams) {
    return new BackupMaker(
        store instanceof FileBackedStore file ? Optional.of(file) : Optional.empty(),
        streams instanceof JournalStreams journal ? Optional.of(journal) : Optional.empty());
  }

  /**
   * Makes a backup in this folder. Callers over the network choose only its name, so that they
   * can't write elsewhere.
   */
  public Backup named(Path folder, String name) {
    if (!NAME.matcher(name).matches()) {
      throw new InvalidInput(
          "a backup of a server has a name of at most 64 letters, digits, dots, _ and -");
    }
    try {
      Files.createDirectories(folder);
    } catch (IOException e) {
      throw new StoreException("the folder of the backups can't be made: " + e, e);
    }
    return make(folder.resolve(name), (step, bytes) -> {});
  }

  /**
   * Makes a backup, the store first. The streams may then hold appends without a record, which a
   * repeated request makes good; a record without its append would hide the loss.
   *
   * @param progress called at each step, with the bytes copied so far
   */
  public Backup make(Path target, ObjLongConsumer<Step> progress) {
    if (store.isEmpty() && streams.isEmpty()) {
      throw new InvalidInput("nothing here is kept in files: use the tools of your database");
    }
    try (BackupFolder folder = BackupFolder.beside(target)) {
      progress.accept(Step.COPYING_STORE, 0);
      long records = store.map(there -> there.backup(folder.store())).orElse(0L);
      long files =
          streams
              .map(
                  there ->
                      there.backup(
                          folder.streams(), bytes -> progress.accept(Step.COPYING_STREAMS, bytes)))
              .map(StreamsCopy::files)
              .orElse(0L);
      progress.accept(Step.LISTING, 0);
      long bytes = folder.finish();
      return new Backup(folder.target().toString(), records, files, bytes);
    } catch (IOException | UncheckedIOException e) {
      throw new StoreException("the backup can't be written: " + e, e);
    }
  }
}
