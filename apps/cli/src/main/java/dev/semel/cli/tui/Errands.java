package dev.semel.cli.tui;

import dev.semel.Key;
import dev.semel.admin.ControlCenter;
import dev.semel.admin.StoreStats;
import dev.semel.advice.AdviceCriteria;
import dev.semel.event.EventStore;
import dev.semel.loop.Loop;
import dev.semel.outbox.OutboxOperations;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * Does what a step wants done, beside the loop, so that the keyboard never waits for a store; what
 * came of it is a message. Safe for use by many threads.
 */
final class Errands {
  private final ControlCenter center;
  private final Exports exports;
  private final Consumer<Message> mailbox;
  private final AtomicInteger underWay = new AtomicInteger();

  Errands(ControlCenter center, Exports exports, Consumer<Message> mailbox) {
    this.center = center;
    this.exports = exports;
    this.mailbox = mailbox;
  }

  void send(Effect effect) {
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

  /** Whether any is still under way. */
  boolean busy() {
    return underWay.get() > 0;
  }

  Message perform(Effect effect) {
    try {
      return switch (effect) {
        case Effect.Survey e -> survey();
        case Effect.Listen e -> listen(e.cursor());
        case Effect.FetchPage e ->
            new Message.Paged(
                e.filter(), e.page(), center.keys(e.filter(), e.page().cursor(), e.page().rows()));
        case Effect.Open e -> open(e.key());
        case Effect.Delete e ->
            new Message.Done(
                e, center.delete(e.key()) ? "deleted " + e.key().text() : "it was gone already");
        case Effect.CleanUp e -> cleanUp(e);
        case Effect.ResetCounts e -> {
          int unused = center.resetStatistics();
          yield new Message.Done(e, "all counts are zero");
        }
        case Effect.Export e ->
            new Message.Done(e, "statistics are in " + exports.write(center.stats()));
        case Effect.Change e -> {
          long version = center.change(e.operation(), e.changes()).version();
          yield new Message.Done(
              e,
              "%s: settings changed, version %d; all processes follow within seconds"
                  .formatted(e.operation(), version));
        }
      };
    } catch (RuntimeException | IOException e) {
      // Whatever it is, the screen stays, and says so.
      String why = e.getMessage();
      return new Message.Failed(effect, why == null ? e.getClass().getSimpleName() : why);
    }
  }

  private Message survey() {
    long begun = System.nanoTime();
    StoreStats stats = center.stats();
    Duration answered = Duration.ofNanos(System.nanoTime() - begun);
    return new Message.Surveyed(
        new Overview(
            stats,
            center.queues(),
            center.health(),
            center.alerts(),
            center.advice(AdviceCriteria.usual()),
            center.outbox().map(OutboxOperations::status),
            answered,
            Duration.ofNanos(System.nanoTime() - begun))); // the last one: of all before it
  }

  /** The end first: what comes between is read twice, and counted once. */
  private Message listen(String cursor) {
    if (cursor.isEmpty()) {
      String end = center.end();
      return new Message.Heard(center.latest("", EventStore.MAX_PAGE), end);
    }
    EventStore.Page page = center.events(cursor, EventStore.MAX_PAGE);
    return new Message.Heard(page.lines(), page.next());
  }

  private Message open(Key key) {
    return new Message.Opened(key, center.inspect(key), center.lifeLine(key));
  }

  private Message cleanUp(Effect effect) {
    long removed = center.cleanup(done -> {});
    return new Message.Done(
        effect, removed == 1 ? "removed 1 record" : "removed %,d records".formatted(removed));
  }
}
