package dev.semel.cli.connect;

import dev.semel.admin.AdminTargets;
import dev.semel.alert.internal.DiskUsage;
import dev.semel.cli.SemelCommand;
import dev.semel.idempotency.spi.Store;
import dev.semel.jdbc.JdbcInbox;
import dev.semel.jdbc.JdbcOutbox;
import dev.semel.job.spi.JobQueue;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Opened targets of a command; closing works in the opposite order. For one thread. */
public final class OpenTargets implements AutoCloseable {
  /** Closes without a checked exception. */
  private interface Opened extends AutoCloseable {
    @Override
    void close();
  }

  private final Deque<Opened> opened = new ArrayDeque<>();
  private AdminTargets targets;

  private OpenTargets(Store store) {
    this.opened.push(store::close);
    this.targets = AdminTargets.of(store);
  }

  /** Opens records alone. */
  static OpenTargets of(Store store) {
    return new OpenTargets(store);
  }

  /**
   * Opens everything that is known: a store, its jobs, and the messages of a database or of the
   * store.
   */
  public static OpenTargets all(
      SemelCommand semel, String storeUrl, String streamsUrl, DatabaseOption option) {
    Optional<String> database = option.settings(semel).database();
    Store store = StoreUrls.open(storeUrl, semel.around().folder());
    OpenTargets open = of(store);
    try {
      open.withJobs(semel.queues().on(store))
          .withDisks(disks(semel, storeUrl, streamsUrl, database));
      if (database.isPresent()) {
        return open.withDatabase(DatabaseOption.open(database.get(), semel), semel.queues());
      }
      return DatabaseOption.isSql(store) ? open.withMessages(store) : open;
    } catch (RuntimeException e) {
      open.close();
      throw e;
    }
  }

  /** Parts on this machine's disks; streams exist once a server has used them. */
  private static DiskUsage disks(
      SemelCommand semel, String storeUrl, String streamsUrl, Optional<String> database) {
    Map<String, Path> kept = new HashMap<>();
    Path folder = semel.around().folder();
    if (storeUrl.startsWith("sqlite:")) {
      kept.put("store", StoreUrls.sqliteFile(storeUrl, folder));
    }
    database
        .flatMap(url -> DatabaseOption.file(url, semel))
        .ifPresent(file -> kept.put("database", file));
    if (StreamUrls.scheme(streamsUrl).equals("journal")) {
      kept.put("journal", StreamUrls.journalFolder(streamsUrl, folder));
    }
    return new DiskUsage(kept);
  }

  private OpenTargets withDisks(DiskUsage disks) {
    targets = targets.withDisks(disks);
    return this;
  }

  /** Adds the queue of the store, if it has one. */
  OpenTargets withJobs(Optional<JobQueue> queue) {
    queue.ifPresent(
        there -> {
          opened.push(there::close);
          targets = targets.withJobs(there);
        });
    return this;
  }

  /** Adds the outbox and inbox in a database. */
  OpenTargets withMessages(Store database) {
    JdbcOutbox outbox = DatabaseOption.outbox(database);
    opened.push(outbox::close);
    JdbcInbox inbox = DatabaseOption.inbox(database);
    opened.push(inbox::close);
    targets = targets.withOutbox(outbox.operations()).withInbox(inbox.operations());
    return this;
  }

  /**
   * Adds a separate database with its jobs, and closes it too; if it is the store itself, the jobs
   * are not added a second time.
   */
  private OpenTargets withDatabase(Store database, JobQueues queues) {
    opened.push(database::close);
    if (!database.describe().equals(targets.store().describe())) {
      withJobs(queues.on(database));
    }
    return withMessages(database);
  }

  public AdminTargets targets() {
    return targets;
  }

  @Override
  public void close() {
    while (!opened.isEmpty()) {
      opened.pop().close();
    }
  }
}
