package dev.semel.server.subscription.internal;

import dev.semel.server.subscription.internal.rules.SubscriptionIndex;
import dev.semel.server.subscription.internal.rules.SubscriptionTable;
import dev.semel.stream.StreamPath;
import dev.semel.stream.spi.StreamHead;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Tracks the state of streams. A reported change is only a hint: the observer asks the engine for
 * the current state, one lookup after the other, so that no late answer hides a later state.
 */
public final class StreamObserver {
  /** Streams that one page asks for. */
  static final int PAGE = 10_000;

  /** Pause before a failed lookup is tried again. */
  private static final long PAUSE_MILLIS = 1000;

  /** Pause before all streams are compared because there is room for more links. */
  private static final long SOON_MILLIS = 10_000;

  private final Vertx vertx;
  private final StreamEngine engine;
  private final DecisionContext decider;
  private final SubscriptionIndex membership;
  private final StreamHints hints;
  private final StreamLookups lookups = new StreamLookups();
  private boolean comparing;
  private int beginning;
  private boolean anyone;

  StreamObserver(
      Vertx vertx, StreamEngine engine, DecisionContext decider, SubscriptionIndex membership) {
    this.vertx = vertx;
    this.engine = engine;
    this.decider = decider;
    this.membership = membership;
    this.hints =
        new StreamHints(
            membership.limits().hints(),
            () -> engine.context().runOnContext(go -> lookups.add(this::followHints)));
  }

  /** Receives reports of changed streams, from any thread. */
  public StreamHints hints() {
    return hints;
  }

  void listen(boolean any) {
    anyone = any;
    hints.listening(anyone || beginning > 0);
  }

  private Future<?> followHints() {
    Optional<List<StreamPath>> paths = hints.take();
    if (paths.isEmpty()) {
      return compare();
    }
    Optional<SubscriptionTable> table = decider.table();
    if (table.isEmpty()) {
      return Future.succeededFuture(); // after the next load, all streams are compared
    }
    List<StreamPath> wanted =
        paths.get().stream().filter(path -> !table.get().interests().in(path).isEmpty()).toList();
    return refreshNow(wanted)
        .onFailure(
            failure -> vertx.setTimer(PAUSE_MILLIS, again -> wanted.forEach(hints::changed)));
  }

  /**
   * Looks these up, decides what follows, and then runs the rest before anything else is looked up.
   */
  <T> Future<T> refresh(Collection<StreamPath> paths, Supplier<Future<T>> then) {
    return inTurn(() -> refreshNow(paths).compose(done -> then.get()));
  }

  private Future<Boolean> refreshNow(Collection<StreamPath> paths) {
    return paths.isEmpty() ? Future.succeededFuture(true) : engine.heads(paths).compose(this::seen);
  }

  private Future<Boolean> seen(Map<StreamPath, Optional<StreamHead>> heads) {
    return decider.decide(
        (step, now) -> {
          heads.forEach(
              (path, head) ->
                  head.ifPresentOrElse(
                      found -> membership.observe(step, found), () -> membership.gone(step, path)));
          return true;
        });
  }

  private <T> Future<T> inTurn(Supplier<Future<T>> look) {
    Promise<T> result = Promise.promise();
    lookups.add(() -> look.get().onComplete(result));
    return result.future();
  }

  /** Looks up the streams that a new subscription will follow, and decides with that. */
  <T> Future<T> begin(Supplier<Future<T>> lookAndDecide) {
    beginning++;
    listen(anyone); // before the first look: what changes after it must not be missed
    return inTurn(lookAndDecide)
        .onComplete(
            done -> {
              beginning--;
              listen(anyone);
            });
  }

  /** Finds changes that were missed. */
  void compareAll() {
    lookups.add(this::compare);
  }

  void compareAllSoon() {
    if (!comparing) {
      comparing = true;
      vertx.setTimer(
          SOON_MILLIS,
          fired -> {
            comparing = false;
            compareAll();
          });
    }
  }

  private Future<?> compare() {
    Optional<SubscriptionTable> table = decider.table();
    if (table.isEmpty() || table.get().size() == 0) {
      return Future.succeededFuture();
    }
    return compare("", new HashSet<>(table.get().interests().linkedPaths()))
        .onFailure(failure -> vertx.setTimer(PAUSE_MILLIS, again -> compareAll()));
  }

  /**
   * Goes page by page.
   *
   * @param unseen linked streams that were not on any page yet
   */
  private Future<Boolean> compare(String after, Set<StreamPath> unseen) {
    return engine
        .list("", after, PAGE)
        .compose(page -> observe(page).map(done -> page))
        .compose(
            page -> {
              page.forEach(head -> unseen.remove(head.path()));
              return page.size() < PAGE
                  ? refreshNow(unseen)
                  : compare(page.getLast().path().text(), unseen);
            });
  }

  private Future<Boolean> observe(List<StreamHead> page) {
    return decider.decide(
        (step, now) -> {
          page.forEach(head -> membership.observe(step, head));
          return true;
        });
  }
}
