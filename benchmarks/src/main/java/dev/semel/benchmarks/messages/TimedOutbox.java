package dev.semel.benchmarks.messages;

import dev.semel.outbox.RelayCounts;
import dev.semel.outbox.spi.OutboxEntry;
import dev.semel.outbox.spi.OutboxStore;
import dev.semel.outbox.spi.PartitionAssignment;
import dev.semel.outbox.spi.ReadRange;
import dev.semel.outbox.spi.RetryingEntry;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/** An outbox that measures how long its relay waits for it. */
record TimedOutbox(OutboxStore store, Shares shares) implements OutboxStore {
  @Override
  public String describe() {
    return store.describe();
  }

  @Override
  public PartitionAssignment heartbeat(String relay, Duration lease, RelayCounts counts) {
    return shares.of("heartbeats", () -> store.heartbeat(relay, lease, counts));
  }

  @Override
  public void release(String relay, Set<Integer> partitions) {
    store.release(relay, partitions);
  }

  @Override
  public void leave(String relay) {
    store.leave(relay);
  }

  @Override
  public List<OutboxEntry> read(List<ReadRange> slices, int limitEach) {
    return shares.of("reading the table", () -> store.read(slices, limitEach));
  }

  @Override
  public List<RetryingEntry> retrying(Set<Integer> partitions) {
    return store.retrying(partitions);
  }

  @Override
  public void published(List<OutboxEntry> messages) {
    shares.of(
        "deleting from it",
        () -> {
          store.published(messages);
          return true;
        });
  }

  @Override
  public boolean failed(String relay, OutboxEntry message, String reason, Duration pause) {
    return store.failed(relay, message, reason, pause);
  }

  @Override
  public boolean bury(String relay, OutboxEntry message, String reason) {
    return store.bury(relay, message, reason);
  }

  @Override
  public void resting(String relay, boolean resting) {
    store.resting(relay, resting);
  }

  @Override
  public AutoCloseable onBell(Runnable ring) {
    return store.onBell(ring);
  }
}
