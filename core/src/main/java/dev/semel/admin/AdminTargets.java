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
 * The parts of an application that an operator can see and change: its store, and the job queues,
 * outbox and inbox that are known here. The code that opened the parts closes them.
 *
 * @param store records, statistics, settings and events
 * @param jobs the engines with their queues, whose executions are recorded in that store
 * @param disks the disks of this machine that hold the data, measured as in {@link
 *     dev.semel.alert.internal.DiskUsage}
 * @param watch the alerts of a running watch; empty: nothing watches these parts
 * @param backups makes a backup under a name; empty: backups are not available here
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

  /** A store without jobs, outbox and inbox. */
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

  /** Adds the queues of this engine. */
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

  /** Adds the alerts of a running watch, such as {@link dev.semel.alert.AlertWatch#alerts}. */
  public AdminTargets withWatch(Supplier<List<Alert>> alerts) {
    return new AdminTargets(store, jobs, outbox, inbox, disks, Optional.of(alerts), backups);
  }

  /** Adds a function that makes a backup of the files under a name. */
  public AdminTargets withBackups(Function<String, Backup> maker) {
    return new AdminTargets(store, jobs, outbox, inbox, disks, watch, Optional.of(maker));
  }

  /** The parts that alerts are measured on. */
  public AlertSources sources() {
    return new AlertSources(store, outbox, inbox, jobOperations(), disks);
  }

  /** The queues of all engines as those of one; empty: there are none. */
  Optional<JobOperations> jobOperations() {
    return AllJobs.of(jobs.stream().map(JobQueue::operations).toList());
  }

  /**
   * The view of an operator.
   *
   * @param actor the operator's name; kept with every change
   */
  public ControlCenter as(String actor) {
    return new LocalControlCenter(this, actor);
  }
}
