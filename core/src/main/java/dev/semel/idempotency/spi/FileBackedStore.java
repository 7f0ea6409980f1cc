package dev.semel.idempotency.spi;

import java.nio.file.Path;

/** A store that is kept in a file of this machine, and can be copied while it is used. */
public interface FileBackedStore extends Store {
  /**
   * Writes all of it, as it is at one moment, into a file that is not there yet, while others read
   * and write. The copy is checked, and on disk, when this returns.
   *
   * @return how many records the copy holds
   * @throws dev.semel.StoreException it can't be written, or is damaged
   */
  long backup(Path copy);
}
