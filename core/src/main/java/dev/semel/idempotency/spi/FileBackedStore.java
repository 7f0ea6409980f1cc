package dev.semel.idempotency.spi;

import java.nio.file.Path;

/** A store in a file of this machine, which can be copied while it is in use. */
public interface FileBackedStore extends Store {
  /**
   * Copies the store, as it is at one moment, into a new file, while others read and write. The
   * copy is checked and on disk when this returns.
   *
   * @return the number of records in the copy
   * @throws dev.semel.StoreException it can't be written, or is damaged
   */
  long backup(Path copy);
}
