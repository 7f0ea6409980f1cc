package dev.semel.alert;

import dev.semel.idempotency.Store;
import dev.semel.inbox.InboxOperations;
import dev.semel.job.JobOperations;
import dev.semel.outbox.OutboxOperations;
import java.util.Optional;

/** What is looked at: a store, and what there is beside it. */
public record Sources(
    Store store,
    Optional<OutboxOperations> outbox,
    Optional<InboxOperations> inbox,
    Optional<JobOperations> jobs) {
  public static Sources of(Store store) {
    return new Sources(store, Optional.empty(), Optional.empty(), Optional.empty());
  }

  public Sources withMessages(OutboxOperations from, InboxOperations to) {
    return new Sources(store, Optional.of(from), Optional.of(to), jobs);
  }

  public Sources withJobs(JobOperations queues) {
    return new Sources(store, outbox, inbox, Optional.of(queues));
  }
}
