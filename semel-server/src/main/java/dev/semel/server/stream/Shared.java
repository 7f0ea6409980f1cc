package dev.semel.server.stream;

import dev.semel.server.http.Departure;
import dev.semel.server.http.Histogram;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/**
 * What the loops of one server have in common.
 *
 * @param heldBytes of bodies that are not complete yet
 * @param liveReaders that wait for data
 * @param bytesOut of data that was sent to readers, to each of them
 * @param appendTimes from an append's last byte to its answer
 * @param departure whether the server is about to stop
 */
public record Shared(
    Watcher watcher,
    AtomicLong heldBytes,
    AtomicInteger liveReaders,
    LongAdder bytesOut,
    Histogram appendTimes,
    Departure departure) {
  public static Shared with(Watcher watcher, Departure departure) {
    return new Shared(
        watcher,
        new AtomicLong(),
        new AtomicInteger(),
        new LongAdder(),
        new Histogram(Histogram.FAST),
        departure);
  }
}
