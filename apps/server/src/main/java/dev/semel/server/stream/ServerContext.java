package dev.semel.server.stream;

import dev.semel.server.http.Histogram;
import dev.semel.server.http.MemoryBudget;
import dev.semel.server.http.ShutdownState;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/**
 * State that the event loops of one server share.
 *
 * @param budget counts the bytes held for callers
 * @param liveReaders number of readers that wait for data
 * @param bytesOut bytes of data sent, counted for each reader
 * @param appendTimes from an append's last byte to its answer
 * @param departure whether the server is about to stop
 */
public record ServerContext(
    StreamWatcher watcher,
    MemoryBudget budget,
    AtomicInteger liveReaders,
    LongAdder bytesOut,
    Histogram appendTimes,
    ShutdownState departure) {
  public static ServerContext with(
      StreamWatcher watcher, MemoryBudget budget, ShutdownState departure) {
    return new ServerContext(
        watcher,
        budget,
        new AtomicInteger(),
        new LongAdder(),
        new Histogram(Histogram.FAST),
        departure);
  }
}
