package dev.semel.admin;

import dev.semel.alert.Alert;
import dev.semel.alert.AlertSources;
import dev.semel.idempotency.spi.Store;
import dev.semel.inbox.spi.InboxOperations;
import dev.semel.job.spi.JobOperations;
import dev.semel.job.spi.JobQueue;
import dev.semel.outbox.spi.OutboxOperations;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * What an application keeps its work in, as far as it is known here. It belongs to whoever opened
 * its parts, and is closed by them.
 *
 * @param store records, statistics, settings and events
 * @param jobs the engines with their queues, whose executions are recorded in that store
 * @param disks of this machine that any of it is kept on, as {@link
 *     dev.semel.alert.internal.DiskUsage} does
 * @param watch the alerts of who watches it; empty: nobody does
 * @param backups makes one under a name; empty: nobody does
 */
public record AdminTargets(
    Store store,
    List<JobQueue> jobs,
    Optional<OutboxOperations> outbox,
    Optional<InboxOperations> inbox,
    Supplier<Map<String, Store.Room>> disks,
    Optional<Supplier<List<Alert>>> watch,
    Optional<Function<String, Backup>> backups) {
  public AdminTargets {
    jobs = List.copyOf(jobs);
  }

  /** Records alone. */
  public static AdminTargets of(Store store) {
    return new AdminTargets(
        store,
        List.of(),
        Optional.empty(),
        Optional.empty(),
        Map::of,
        Optional.empty(),
        Optional.empty());
  }

  /** With the queues of this engine too. */
  public AdminTargets withJobs(JobQueue queue) {
    List<JobQueue> all = new ArrayList<>(jobs);
    all.add(queue);
    return new AdminTargets(store, all, outbox, inbox, disks, watch, backups);
  }

  public AdminTargets withOutbox(OutboxOperations operations) {
    return new AdminTargets(store, jobs, Optional.of(operations), inbox, disks, watch, backups);
  }

  public AdminTargets withInbox(InboxOperations operations) {
    return new AdminTargets(store, jobs, outbox, Optional.of(operations), disks, watch, backups);
  }

  public AdminTargets withDisks(Supplier<Map<String, Store.Room>> measured) {
    return new AdminTargets(store, jobs, outbox, inbox, measured, watch, backups);
  }

  /** Watched by someone, such as {@link dev.semel.alert.AlertWatch#alerts}. */
  public AdminTargets withWatch(Supplier<List<Alert>> alerts) {
    return new AdminTargets(store, jobs, outbox, inbox, disks, Optional.of(alerts), backups);
  }

  /** Backed up by who has its files. */
  public AdminTargets withBackups(Function<String, Backup> maker) {
    return new AdminTargets(store, jobs, outbox, inbox, disks, watch, Optional.of(maker));
  }

  /** What there is to measure. */
  public AlertSources sources() {
    return new AlertSources(store, outbox, inbox, jobOperations(), disks);
  }

  /** The queues of all engines as those of one; empty: there are none. */
  Optional<JobOperations> jobOperations() {
    return AllJobs.of(jobs.stream().map(JobQueue::operations).toList());
  }

  /**
   * Everything that there is to see and do here.
   *
   * @param actor in whose name it is done; kept with every change
   */
  public ControlCenter as(String actor) {
    return new LocalControlCenter(this, actor);
  }
}
