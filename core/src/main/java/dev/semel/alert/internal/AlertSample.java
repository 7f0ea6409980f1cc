package dev.semel.alert.internal;

import dev.semel.Operation;
import dev.semel.idempotency.spi.StatisticsStore;
import dev.semel.idempotency.spi.Store;
import dev.semel.inbox.spi.InboxOperations;
import dev.semel.job.spi.JobOperations;
import dev.semel.outbox.spi.OutboxOperations;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;

/**
 * The measurements of one moment. An empty part could not be read, or does not exist.
 *
 * @param at on the clock of the measuring process
 * @param away for how long the store could not be read; zero: it could
 * @param jobs by queue
 * @param disks by what is kept on them
 */
public record AlertSample(
    Instant at,
    Duration away,
    Optional<OfStore> store,
    Optional<OutboxOperations.Status> outbox,
    Optional<InboxOperations.Status> inbox,
    Optional<SortedMap<Operation, JobOperations.Counts>> jobs,
    Map<String, Store.Room> disks) {
  public AlertSample {
    disks = Map.copyOf(disks);
  }

  /** A sample of the store alone. */
  public static AlertSample of(Instant at, Duration away, Optional<OfStore> store) {
    return new AlertSample(
        at, away, store, Optional.empty(), Optional.empty(), Optional.empty(), Map.of());
  }

  public AlertSample withOutbox(Optional<OutboxOperations.Status> status) {
    return new AlertSample(at, away, store, status, inbox, jobs, disks);
  }

  public AlertSample withInbox(Optional<InboxOperations.Status> status) {
    return new AlertSample(at, away, store, outbox, status, jobs, disks);
  }

  public AlertSample withJobs(Optional<SortedMap<Operation, JobOperations.Counts>> counts) {
    return new AlertSample(at, away, store, outbox, inbox, counts, disks);
  }

  public AlertSample withDisks(Map<String, Store.Room> rooms) {
    return new AlertSample(at, away, store, outbox, inbox, jobs, rooms);
  }

  /**
   * The measurements of the store.
   *
   * @param now on the store's clock
   * @param minutes the latest ones, oldest first, the current one included
   * @param ended records whose retention ended and that still exist, up to {@link
   *     AlertSampler#MAX_ENDED}
   */
  public record OfStore(
      Instant now,
      List<StatisticsStore.Slice> minutes,
      Optional<Store.Room> room,
      int ended,
      OfLog log) {
    public OfStore {
      minutes = List.copyOf(minutes);
    }
  }

  /**
   * What processes reported about themselves in the event log lately, and this one directly.
   *
   * @param skews the difference of each process's clock from the store's, by process
   * @param lost notable events that are not in the log
   */
  public record OfLog(Map<String, Duration> skews, long lost) {
    public static final OfLog EMPTY = new OfLog(Map.of(), 0);

    public OfLog {
      skews = Map.copyOf(skews);
    }
  }
}
