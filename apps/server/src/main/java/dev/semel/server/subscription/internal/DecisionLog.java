package dev.semel.server.subscription.internal;

import dev.semel.StoreException;
import dev.semel.json.Json;
import dev.semel.server.subscription.internal.rules.SubscriptionChange;
import dev.semel.server.subscription.internal.rules.SubscriptionTable;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * Writes decisions in their order, many at once where they come together. The table runs ahead of
 * what is written. So a failure makes both table and log invalid, and everything begins again from
 * what was written.
 */
final class DecisionLog {
  private record Entry(List<String> records, Promise<Void> written) {}

  private final StateLog log;
  private final SubscriptionTable table;
  private final int maxLogBytes;
  private final Runnable onLost;
  private final Deque<Entry> waiting = new ArrayDeque<>();
  private boolean writing;
  private boolean lost;

  DecisionLog(StateLog log, SubscriptionTable table, int maxLogBytes, Runnable onLost) {
    this.log = log;
    this.table = table;
    this.maxLogBytes = maxLogBytes;
    this.onLost = onLost;
  }

  /**
   * Completes when these changes and all before them are stored. An empty list waits too, because
   * an answer without changes may speak of earlier ones.
   */
  Future<Void> write(List<SubscriptionChange> changes) {
    if (lost) {
      return Future.failedFuture(lostState());
    }
    if (changes.isEmpty() && !writing && waiting.isEmpty()) {
      return Future.succeededFuture();
    }
    Promise<Void> written = Promise.promise();
    waiting.add(
        new Entry(changes.stream().map(c -> Json.write(ChangeJson.write(c))).toList(), written));
    flush();
    return written.future();
  }

  private void flush() {
    if (writing || lost || waiting.isEmpty()) {
      return;
    }
    writing = true;
    List<Entry> batch = new ArrayList<>();
    List<String> records = new ArrayList<>();
    boolean whole = log.needsRewrite() || log.grownBeyond(maxLogBytes);
    long size = 0;
    while (!waiting.isEmpty() && (whole || size < JsonChunks.BYTES)) {
      Entry entry = waiting.remove();
      batch.add(entry);
      records.addAll(entry.records());
      size += entry.records().stream().mapToLong(String::length).sum();
    }
    // The table has all waiting changes already, so writing it whole writes those, too.
    Future<Void> done = whole ? log.rewrite(wholeTable()) : log.append(records);
    done.onComplete(
        ok -> {
          writing = false;
          batch.forEach(entry -> entry.written().tryComplete());
          flush();
        },
        failure -> {
          waiting.addAll(batch);
          abandon();
        });
  }

  private List<String> wholeTable() {
    return table.whole().stream().map(c -> Json.write(ChangeJson.write(c))).toList();
  }

  /** Writes nothing more, and fails all that wait: nobody knows whether they took effect. */
  void abandon() {
    if (lost) {
      return;
    }
    lost = true;
    List<Entry> left = List.copyOf(waiting);
    waiting.clear();
    left.forEach(entry -> entry.written().tryFail(lostState()));
    onLost.run();
  }

  private static StoreException lostState() {
    return new StoreException(
        "the state of subscriptions could not be written; whether this took effect is unknown");
  }
}
