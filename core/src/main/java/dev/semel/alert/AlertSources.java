package dev.semel.alert;

import dev.semel.alert.internal.DiskUsage;
import dev.semel.idempotency.spi.Store;
import dev.semel.inbox.spi.InboxOperations;
import dev.semel.job.spi.JobOperations;
import dev.semel.outbox.spi.OutboxOperations;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * What alerts are measured on: a store, and its outbox, inbox, jobs and disks.
 *
 * @param disks the disks of this machine that hold the data, as {@link DiskUsage} measures them
 */
public record AlertSources(
    Store store,
    Optional<OutboxOperations> outbox,
    Optional<InboxOperations> inbox,
    Optional<JobOperations> jobs,
    Supplier<Map<String, Store.Room>> disks) {
  public static AlertSources of(Store store) {
    return new AlertSources(store, Optional.empty(), Optional.empty(), Optional.empty(), Map::of);
  }

  public AlertSources withMessages(OutboxOperations from, InboxOperations to) {
    return new AlertSources(store, Optional.of(from), Optional.of(to), jobs, disks);
  }

  public AlertSources withJobs(JobOperations queues) {
    return new AlertSources(store, outbox, inbox, Optional.of(queues), disks);
  }

  public AlertSources withDisks(Supplier<Map<String, Store.Room>> measured) {
    return new AlertSources(store, outbox, inbox, jobs, measured);
  }
}
