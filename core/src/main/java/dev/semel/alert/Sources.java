package dev.semel.alert;

import dev.semel.idempotency.Store;
import dev.semel.inbox.InboxOperations;
import dev.semel.job.JobOperations;
import dev.semel.outbox.OutboxOperations;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * What is looked at: a store, and what there is beside it.
 *
 * @param disks of this machine that any of it is kept on, as {@link Disks} measures them
 */
public record Sources(
    Store store,
    Optional<OutboxOperations> outbox,
    Optional<InboxOperations> inbox,
    Optional<JobOperations> jobs,
    Supplier<Map<String, Store.Room>> disks) {
  public static Sources of(Store store) {
    return new Sources(store, Optional.empty(), Optional.empty(), Optional.empty(), Map::of);
  }

  public Sources withMessages(OutboxOperations from, InboxOperations to) {
    return new Sources(store, Optional.of(from), Optional.of(to), jobs, disks);
  }

  public Sources withJobs(JobOperations queues) {
    return new Sources(store, outbox, inbox, Optional.of(queues), disks);
  }

  public Sources withDisks(Supplier<Map<String, Store.Room>> measured) {
    return new Sources(store, outbox, inbox, jobs, measured);
  }
}
