package dev.semel.server.stream;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What the loops of one server have in common.
 *
 * @param heldBytes of bodies that are not complete yet
 * @param liveReaders that wait for data
 */
public record Shared(Watcher watcher, AtomicLong heldBytes, AtomicInteger liveReaders) {
  public static Shared with(Watcher watcher) {
    return new Shared(watcher, new AtomicLong(), new AtomicInteger());
  }
}
