package dev.semel.alert.internal;

import dev.semel.idempotency.spi.Store;
import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * The disks of this machine that something is kept on, and how full they are. Two things on one
 * disk are one: what has to be done is the same. Safe for use by many threads.
 */
public final class DiskUsage implements Supplier<Map<String, Store.Room>> {
  private final Map<String, Path> kept;

  /**
   * @param kept what lies where, such as {@code journal} in its folder; need not be there yet
   */
  public DiskUsage(Map<String, Path> kept) {
    this.kept = new TreeMap<>(kept);
  }

  /** How full each is, by what is kept on it; what can't be seen is left out. */
  @Override
  public Map<String, Store.Room> get() {
    Map<FileStore, String> names = new LinkedHashMap<>();
    kept.forEach(
        (name, path) ->
            disk(path).ifPresent(disk -> names.merge(disk, name, (a, b) -> a + "+" + b)));
    Map<String, Store.Room> rooms = new LinkedHashMap<>();
    names.forEach((disk, name) -> room(disk).ifPresent(room -> rooms.put(name, room)));
    return rooms;
  }

  private static Optional<FileStore> disk(Path path) {
    try {
      return Files.exists(path) ? Optional.of(Files.getFileStore(path)) : Optional.empty();
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /** What only its administrator may use counts as taken. */
  private static Optional<Store.Room> room(FileStore disk) {
    try {
      long all = disk.getTotalSpace();
      return all > 0
          ? Optional.of(new Store.Room(all - disk.getUsableSpace(), all))
          : Optional.empty();
    } catch (IOException e) {
      return Optional.empty();
    }
  }
}
