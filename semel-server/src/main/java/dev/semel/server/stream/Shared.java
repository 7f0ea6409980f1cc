package dev.semel.server.stream;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/**
 * What the loops of one server have in common.
 *
 * @param heldBytes of bodies that are not complete yet
 * @param liveReaders that wait for data
 * @param bytesOut of data that was sent to readers, to each of them
 */
public record Shared(
    Watcher watcher, AtomicLong heldBytes, AtomicInteger liveReaders, LongAdder bytesOut) {
  public static Shared with(Watcher watcher) {
    return new Shared(watcher, new AtomicLong(), new AtomicInteger(), new LongAdder());
  }
}
