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
 * The disks of this machine that hold data, and how full they are. Two folders on one disk are one
 * entry, because the remedy is the same. Safe for use by many threads.
 */
public final class DiskUsage implements Supplier<Map<String, Store.Room>> {
  private final Map<String, Path> kept;

  /**
   * Watches these folders.
   *
   * @param kept names and their paths, such as {@code journal} and its folder; a path need not
   *     exist yet
   */
  public DiskUsage(Map<String, Path> kept) {
    this.kept = new TreeMap<>(kept);
  }

  /** How full each disk is, by what is kept on it; unreadable disks are left out. */
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

  /** Space that only the administrator may use counts as used. */
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
