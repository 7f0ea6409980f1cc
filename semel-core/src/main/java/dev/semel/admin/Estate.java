package dev.semel.admin;

import dev.semel.alert.Alert;
import dev.semel.alert.Sources;
import dev.semel.idempotency.Store;
import dev.semel.inbox.InboxOperations;
import dev.semel.job.JobQueue;
import dev.semel.outbox.OutboxOperations;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * What an application keeps its work in, as far as it is known here. It belongs to whoever opened
 * its parts, and is closed by them.
 *
 * @param store records, statistics, settings and events
 * @param jobs whose executions are recorded in that store
 * @param watch the alerts of who watches it; empty: nobody does
 * @param backups makes one under a name; empty: nobody does
 */
public record Estate(
    Store store,
    Optional<JobQueue> jobs,
    Optional<OutboxOperations> outbox,
    Optional<InboxOperations> inbox,
    Optional<Supplier<List<Alert>>> watch,
    Optional<Function<String, Backup>> backups) {
  /** Records alone. */
  public static Estate of(Store store) {
    return new Estate(
        store,
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty());
  }

  public Estate withJobs(JobQueue queue) {
    return new Estate(store, Optional.of(queue), outbox, inbox, watch, backups);
  }

  public Estate withOutbox(OutboxOperations operations) {
    return new Estate(store, jobs, Optional.of(operations), inbox, watch, backups);
  }

  public Estate withInbox(InboxOperations operations) {
    return new Estate(store, jobs, outbox, Optional.of(operations), watch, backups);
  }

  /** Watched by someone, such as {@link dev.semel.alert.AlertWatch#alerts}. */
  public Estate withWatch(Supplier<List<Alert>> alerts) {
    return new Estate(store, jobs, outbox, inbox, Optional.of(alerts), backups);
  }

  /** Backed up by who has its files. */
  public Estate withBackups(Function<String, Backup> maker) {
    return new Estate(store, jobs, outbox, inbox, watch, Optional.of(maker));
  }

  /** What there is to measure. */
  public Sources sources() {
    return new Sources(store, outbox, inbox, jobs.map(JobQueue::operations));
  }

  /**
   * Everything that there is to see and do here.
   *
   * @param actor in whose name it is done; kept with every change
   */
  public ControlCenter as(String actor) {
    return new EstateCenter(this, actor);
  }
}
