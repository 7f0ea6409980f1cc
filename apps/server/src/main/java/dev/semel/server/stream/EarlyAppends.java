package dev.semel.server.stream;

import dev.semel.server.http.MemoryBudget;
import dev.semel.stream.StreamPath;
import dev.semel.stream.spi.AppendSender;
import io.vertx.core.Vertx;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * Holds appends that came before their turn. Producers keep several requests under way, each on its
 * own connection, and the missing one is nearly always about to arrive: waiting a moment saves
 * sending again. For one event loop; an arrival on another loop is noticed when the moment is over.
 */
final class EarlyAppends {
  /** How long one may wait. */
  private static final long MOMENT_MILLIS = 20;

  /**
   * Producers keep no more than five requests under way: a larger gap will not close in a moment.
   */
  private static final long MOST_AHEAD = 5;

  private record Producer(StreamPath path, String id) {}

  private final Vertx vertx;
  private final AppendBatches appends;
  private final MemoryBudget budget;
  private final Map<Producer, TreeMap<Long, PendingAppend>> waiting = new HashMap<>();
  private final Map<Producer, Integer> underWay = new HashMap<>();

  /**
   * @param budget shared by all loops
   */
  EarlyAppends(Vertx vertx, AppendBatches appends, MemoryBudget budget) {
    this.vertx = vertx;
    this.appends = appends;
    this.budget = budget;
  }

  /**
   * Holds it for a moment.
   *
   * @return false: it can't wait, and must be answered
   */
  boolean hold(PendingAppend append, String id, long seq, long expected) {
    if (append.waited() || seq - expected > MOST_AHEAD) {
      return false;
    }
    int bytes = append.request().body().length();
    if (!budget.take(bytes)) {
      return false;
    }
    Producer producer = new Producer(append.path(), id);
    PendingAppend before =
        waiting.computeIfAbsent(producer, p -> new TreeMap<>()).putIfAbsent(seq, append);
    if (before != null) {
      budget.letGo(bytes);
      return false; // sent twice within a moment
    }
    vertx.setTimer(MOMENT_MILLIS, t -> over(producer, seq, append));
    return true;
  }

  /** Ends the moment, unless the append went on before. */
  private void over(Producer producer, long seq, PendingAppend append) {
    TreeMap<Long, PendingAppend> all = waiting.get(producer);
    if (all != null && all.get(seq) == append && underWay.containsKey(producer)) {
      vertx.setTimer(MOMENT_MILLIS, t -> over(producer, seq, append));
      return;
    }
    if (all != null && all.remove(seq, append)) {
      if (all.isEmpty()) {
        waiting.remove(producer);
      }
      append.waitsNoMore();
      goOn(append);
    }
  }

  /** An append of this producer is processed beside the event loop, and is not stored yet. */
  void begins(StreamPath path, AppendSender sender) {
    if (sender instanceof AppendSender.Declared d) {
      underWay.merge(new Producer(path, d.tuple().id()), 1, Integer::sum);
    }
  }

  /** It is stored, or failed. */
  void ends(StreamPath path, AppendSender sender) {
    if (sender instanceof AppendSender.Declared d) {
      underWay.computeIfPresent(
          new Producer(path, d.tuple().id()), (p, count) -> count == 1 ? null : count - 1);
    }
  }

  /** A batch of this producer is stored, so those that waited for it may be next. */
  void arrived(StreamPath path, String id) {
    if (waiting.isEmpty()) {
      return;
    }
    TreeMap<Long, PendingAppend> all = waiting.remove(new Producer(path, id));
    if (all != null) {
      all.values().forEach(this::goOn);
    }
  }

  private void goOn(PendingAppend append) {
    budget.letGo(append.request().body().length());
    append.again();
    appends.add(append);
  }
}
