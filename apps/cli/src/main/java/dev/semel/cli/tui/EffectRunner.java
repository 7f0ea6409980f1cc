package dev.semel.cli.tui;

import dev.semel.Key;
import dev.semel.admin.ControlCenter;
import dev.semel.admin.StoreStats;
import dev.semel.advice.AdviceCriteria;
import dev.semel.event.spi.EventStore;
import dev.semel.loop.internal.Loop;
import dev.semel.outbox.spi.OutboxOperations;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * Runs effects beside the loop, so that the keyboard never waits for a store. Each result is a
 * message. Safe for many threads.
 */
final class EffectRunner {
  private final ControlCenter center;
  private final ExportTarget exports;
  private final Consumer<TuiMessage> mailbox;
  private final AtomicInteger underWay = new AtomicInteger();

  EffectRunner(ControlCenter center, ExportTarget exports, Consumer<TuiMessage> mailbox) {
    this.center = center;
    this.exports = exports;
    this.mailbox = mailbox;
  }

  void send(TuiEffect effect) {
    underWay.incrementAndGet();
    Loop.beside(
        "semel-tui",
        () -> {
          try {
            mailbox.accept(perform(effect));
          } finally {
            underWay.decrementAndGet();
          }
        });
  }

  /** Whether an effect is still under way. */
  boolean busy() {
    return underWay.get() > 0;
  }

  TuiMessage perform(TuiEffect effect) {
    try {
      return switch (effect) {
        case TuiEffect.Survey e -> survey();
        case TuiEffect.Listen e -> listen(e.cursor());
        case TuiEffect.FetchPage e ->
            new TuiMessage.Paged(
                e.filter(), e.page(), center.keys(e.filter(), e.page().cursor(), e.page().rows()));
        case TuiEffect.Open e -> open(e.key());
        case TuiEffect.Delete e ->
            new TuiMessage.Done(
                e, center.delete(e.key()) ? "deleted " + e.key().text() : "it was gone already");
        case TuiEffect.CleanUp e -> cleanUp(e);
        case TuiEffect.ResetCounts e -> {
          int unused = center.resetStatistics();
          yield new TuiMessage.Done(e, "all counts are zero");
        }
        case TuiEffect.Export e ->
            new TuiMessage.Done(e, "statistics are in " + exports.write(center.stats()));
        case TuiEffect.Change e -> {
          long version = center.change(e.operation(), e.changes()).version();
          yield new TuiMessage.Done(
              e,
              "%s: settings changed, version %d; all processes follow within seconds"
                  .formatted(e.operation(), version));
        }
      };
    } catch (RuntimeException | IOException e) {
      // Any failure: the screen stays, and shows it.
      String why = e.getMessage();
      return new TuiMessage.Failed(effect, why == null ? e.getClass().getSimpleName() : why);
    }
  }

  private TuiMessage survey() {
    long begun = System.nanoTime();
    StoreStats stats = center.stats();
    Duration answered = Duration.ofNanos(System.nanoTime() - begun);
    return new TuiMessage.Surveyed(
        new OverviewData(
            stats,
            center.queues(),
            center.health(),
            center.alerts(),
            center.advice(AdviceCriteria.usual()),
            center.outbox().map(OutboxOperations::status),
            answered,
            Duration.ofNanos(System.nanoTime() - begun))); // measured last: it covers all of it
  }

  /** Reads the end first: events in between are then read twice, and counted once. */
  private TuiMessage listen(String cursor) {
    if (cursor.isEmpty()) {
      String end = center.end();
      return new TuiMessage.Heard(center.latest("", EventStore.MAX_PAGE), end);
    }
    EventStore.Page page = center.events(cursor, EventStore.MAX_PAGE);
    return new TuiMessage.Heard(page.lines(), page.next());
  }

  private TuiMessage open(Key key) {
    return new TuiMessage.Opened(key, center.inspect(key), center.lifeLine(key));
  }

  private TuiMessage cleanUp(TuiEffect effect) {
    long removed = center.cleanup(done -> {});
    return new TuiMessage.Done(
        effect, removed == 1 ? "removed 1 record" : "removed %,d records".formatted(removed));
  }
}
