package dev.semel.stream.client;

import dev.semel.StoreException;

/**
 * Thrown when other writers were faster each time: nothing was written. Try again later, or with
 * fewer writers.
 */
public final class StreamContended extends StoreException {
  private static final long serialVersionUID = 1L;

  StreamContended(int tries) {
    super(
        "others appended first in each of %d tries: nothing was written, try again later"
            .formatted(tries));
  }
}
