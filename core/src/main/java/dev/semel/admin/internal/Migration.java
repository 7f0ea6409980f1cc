package dev.semel.admin.internal;

import dev.semel.InvalidInput;
import dev.semel.Key;
import dev.semel.Operation;
import dev.semel.StoreException;
import dev.semel.idempotency.spi.KeyCatalog;
import dev.semel.idempotency.spi.KeyEntry;
import dev.semel.idempotency.spi.RecordImport;
import dev.semel.idempotency.spi.SettingsStore.Stored;
import dev.semel.idempotency.spi.Store;
import dev.semel.idempotency.spi.StoredRecord;
import dev.semel.loop.internal.Loop;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Copies records and settings of one store into another, while both are in use: each record in one
 * atomic step, and never over a newer one. The source is only read.
 *
 * <p>After a crash, each record is copied or not, never in part. Every step may be repeated, so a
 * run may continue at the last reported {@link Place}, or start again. Changes in the source before
 * that place are only seen by the next run. For one thread.
 */
public final class Migration {
  /** How many differing keys are listed; further ones are only counted. */
  public static final int MAX_LISTED = 1000;

  /** How many records are written at a time: an engine that forces each write can share a force. */
  private static final int WRITERS = 8;

  /** Whether anything is written. */
  public enum Mode {
    MOVE,
    /** Counts what a migration would do. */
    DRY_RUN
  }

  /**
   * The progress of a run: all records before it are done.
   *
   * @param cursor of the source; empty at the beginning, and at the end
   * @param differing keys whose records differ, up to {@link #MAX_LISTED}
   */
  public record Place(String cursor, MigrationReport account, List<String> differing) {
    public static final Place BEGINNING = new Place("", MigrationReport.NOTHING, List.of());

    public Place {
      differing = List.copyOf(differing);
    }
  }

  /**
   * The result of copying the settings.
   *
   * @param differing operations with other settings in the target, which stayed
   */
  public record SettingsAccount(int read, int copied, int same, List<String> differing) {
    public SettingsAccount {
      differing = List.copyOf(differing);
    }
  }

  private final Store from;
  private final Store to;
  private final Mode mode;

  public Migration(Store from, Store to, Mode mode) {
    if (from.describe().equals(to.describe())) {
      throw new InvalidInput("both are %s: name two stores".formatted(from.describe()));
    }
    this.from = from;
    this.to = to;
    this.mode = mode;
  }

  /** Whether a place that an earlier process reported is still valid. */
  public boolean resumable() {
    return from.catalog().cursorsOutliveRestarts();
  }

  /**
   * Copies the settings; call it first, so that no operation runs under other settings than before.
   */
  public SettingsAccount settings() {
    Map<Operation, Stored> there = to.settings().readAll();
    Map<String, String> sorted = new TreeMap<>();
    from.settings()
        .readAll()
        .forEach((operation, stored) -> sorted.put(operation.name(), stored.text()));
    int copied = 0;
    int same = 0;
    List<String> differing = new ArrayList<>();
    for (Map.Entry<String, String> each : sorted.entrySet()) {
      Operation operation = new Operation(each.getKey());
      Stored other = there.get(operation);
      if (other == null && write(operation, each.getValue())) {
        copied++;
      } else if (other != null && other.text().equals(each.getValue())) {
        same++;
      } else {
        differing.add(operation.name());
      }
    }
    return new SettingsAccount(sorted.size(), copied, same, differing);
  }

  private boolean write(Operation operation, String text) {
    return mode == Mode.DRY_RUN || to.settings().write(operation, 0, text);
  }

  /**
   * Copies all records from a place on.
   *
   * @param reached called after every page, when all of it is in the target
   * @return the place at the end, with the full report
   */
  public Place records(Place start, Consumer<Place> reached) {
    Place place = start;
    do {
      KeyCatalog.Page page = from.catalog().list("", place.cursor(), KeyCatalog.MAX_PAGE);
      List<RecordImport> told = adoptAll(page.entries(), System.nanoTime());
      Set<String> differing = new LinkedHashSet<>(place.differing());
      for (int i = 0; i < told.size() && differing.size() < MAX_LISTED; i++) {
        if (told.get(i) == RecordImport.DIFFERS) {
          differing.add(page.entries().get(i).key().text());
        }
      }
      place = new Place(page.next(), place.account().plus(told), List.copyOf(differing));
      reached.accept(place);
    } while (!place.cursor().isEmpty());
    return place;
  }

  /** Adds a line to the target's event log. */
  public void sign(String actor) {
    if (mode == Mode.MOVE) {
      new AuditWriter(to, actor).add("migrate", "from " + from.describe()).write();
    }
  }

  private List<RecordImport> adoptAll(List<KeyEntry> entries, long readAt) {
    RecordImport[] told = new RecordImport[entries.size()];
    int writers = Math.min(WRITERS, entries.size());
    CountDownLatch working = new CountDownLatch(writers);
    AtomicReference<@Nullable Throwable> failed = new AtomicReference<>();
    for (int w = 0; w < writers; w++) {
      int first = w;
      Loop.beside(
          "semel-migrate-" + w,
          () -> {
            try {
              for (int i = first; i < told.length && failed.get() == null; i += writers) {
                told[i] = adopt(entries.get(i), readAt);
              }
            } catch (RuntimeException | Error e) {
              failed.compareAndSet(null, e);
            } finally {
              working.countDown();
            }
          });
    }
    await(working);
    rethrow(failed.get());
    return Arrays.asList(told);
  }

  private static void await(CountDownLatch working) {
    try {
      working.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new StoreException("the migration was interrupted: run it again, and it goes on", e);
    }
  }

  private static void rethrow(@Nullable Throwable failure) {
    switch (failure) {
      case null -> {}
      case RuntimeException e -> throw e;
      case Error e -> throw e;
      default -> throw new IllegalStateException(failure);
    }
  }

  /** Subtracts the time since the record was read from its lease and retention. */
  private RecordImport adopt(KeyEntry entry, long readAt) {
    Key key = entry.key();
    StoredRecord now = entry.existing().after(Duration.ofNanos(System.nanoTime() - readAt));
    if (mode == Mode.MOVE) {
      return to.catalog().adopt(new KeyEntry(key, now));
    }
    if (!now.original().retentionLeft().isPositive()) {
      return RecordImport.ENDED;
    }
    return to.idempotency()
        .find(key)
        .map(there -> RecordImport.meeting(there, now))
        .orElse(RecordImport.COPIED);
  }
}
