package dev.semel.server.subscription.internal;

import dev.semel.InvalidInput;
import dev.semel.StoreException;
import dev.semel.server.subscription.SubscriptionSettings;
import dev.semel.server.subscription.internal.http.WebhookClient;
import dev.semel.server.subscription.internal.rules.DecisionStep;
import dev.semel.server.subscription.internal.rules.RandomSource;
import dev.semel.server.subscription.internal.rules.SigningKey;
import dev.semel.server.subscription.internal.rules.Subscription;
import dev.semel.server.subscription.internal.rules.SubscriptionChange;
import dev.semel.server.subscription.internal.rules.SubscriptionRules;
import dev.semel.server.subscription.internal.rules.SubscriptionTable;
import dev.semel.server.subscription.internal.rules.SubscriptionViews;
import dev.semel.server.subscription.internal.rules.WakeCall;
import dev.semel.server.subscription.internal.rules.WakeDelivery;
import dev.semel.server.subscription.internal.rules.WakeSchedule;
import dev.semel.server.subscription.internal.rules.WakeTokens;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.lang.System.Logger.Level;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Runs the steps in order, all on one context: decide on the table, write, and only then answer and
 * call. After a failed write nobody knows what is written, so everything is loaded again; meanwhile
 * callers are asked to come back.
 */
public final class SubscriptionDriver implements DecisionContext, WakeCaller.Listener {
  private static final System.Logger LOG = System.getLogger("dev.semel.server");

  /** How long to wait before the state is loaded again. */
  private static final long PAUSE_MILLIS = 1000;

  private final Vertx vertx;
  private final InstantSource clock;
  private final SubscriptionSettings settings;
  private final StreamEngine engine;
  private final SubscriptionRules rules;
  private final WebhookClient webhooks;
  private final WakeCaller caller;
  private final SubscriptionTimers alarms;
  private final StreamObserver sightings;
  private @Nullable LoadedState state;
  private boolean closed;

  public SubscriptionDriver(
      Vertx vertx,
      StreamEngine engine,
      WebhookClient webhooks,
      SubscriptionSettings settings,
      InstantSource clock) {
    this.vertx = vertx;
    this.clock = clock;
    this.settings = settings;
    this.engine = engine;
    this.rules = SubscriptionRules.of(settings.limits(), RandomSource.secure());
    this.webhooks = webhooks;
    this.caller = new WakeCaller(webhooks, engine, settings.limits());
    this.alarms = new SubscriptionTimers(vertx, this::ring);
    this.sightings = new StreamObserver(vertx, engine, this, rules.membership());
  }

  SubscriptionRules rules() {
    return rules;
  }

  public StreamObserver sightings() {
    return sightings;
  }

  @Override
  public Optional<LoadedState> state() {
    return Optional.ofNullable(state);
  }

  @Override
  public Optional<SubscriptionTable> table() {
    return Optional.ofNullable(state).map(LoadedState::table);
  }

  /** Continues from the stored state. */
  Future<Void> load() {
    StateLog log = new StateLog(engine);
    return log.load().compose(changes -> begin(log, changes));
  }

  /**
   * Loads the state when a server starts. Another server that starts at the same moment may write
   * first: then this one is refused, and loads what was written, as it does at any later time.
   */
  public Future<Void> start() {
    StateLog log = new StateLog(engine);
    return log.load().compose(changes -> begin(log, changes).otherwiseEmpty());
  }

  private Future<Void> begin(StateLog log, List<SubscriptionChange> changes) {
    if (closed) {
      return Future.failedFuture(away());
    }
    SubscriptionTable table = new SubscriptionTable();
    changes.forEach(table::apply);
    table.dropHidden();
    DecisionStep step = new DecisionStep(table, clock.millis());
    if (table.secret().isEmpty()) {
      step.add(new SubscriptionChange.Secret(WakeTokens.drawSecret()));
      step.add(new SubscriptionChange.Key(SigningKey.draw(step.now())));
    }
    table.all().forEach(s -> rules.wakes().resume(step, s));
    DecisionLog ledger = new DecisionLog(log, table, settings.limits().logBytes(), this::lost);
    LoadedState next =
        new LoadedState(
            table,
            new SubscriptionViews(table, settings.root()),
            new WakeTokens(table.secret()),
            ledger);
    state = next;
    Future<Void> written = commit(next, step);
    sightings.compareAll(); // after commit, so that decisions are written in their order
    return written;
  }

  /** Drops the state, because decisions that were not written must have no effect. */
  private void lost() {
    state = null;
    alarms.clear();
    caller.forget();
    if (!closed) {
      LOG.log(Level.WARNING, "the state of subscriptions could not be written: loading it again");
      loadLater();
    }
  }

  private void loadLater() {
    vertx.setTimer(
        PAUSE_MILLIS,
        fired ->
            load()
                .onFailure(
                    failure -> {
                      if (state == null && !closed) {
                        LOG.log(Level.WARNING, "the state of subscriptions can't be read", failure);
                        loadLater();
                      }
                    }));
  }

  @Override
  public <T> Future<T> decide(Rule<T> rule) {
    LoadedState now = state;
    if (now == null) {
      return Future.failedFuture(away());
    }
    DecisionStep step = new DecisionStep(now.table(), clock.millis());
    T result;
    try {
      result = rule.decide(step, now);
    } catch (InvalidInput e) {
      return Future.failedFuture(e);
    } catch (RuntimeException e) {
      now.ledger().abandon(); // half a decision must not be kept
      return Future.failedFuture(e);
    }
    return commit(now, step).map(written -> result);
  }

  private Future<Void> commit(LoadedState now, DecisionStep step) {
    Future<Void> written = now.ledger().write(step.changes());
    step.touched().forEach(id -> settle(now.table(), id));
    sightings.listen(now.table().size() > 0);
    return written.onSuccess(
        done -> {
          if (isCurrent(now)) {
            step.calls().forEach(call -> caller.call(call, now, this));
          }
        });
  }

  /** Whether no write has failed since. */
  private boolean isCurrent(LoadedState one) {
    return state != null && state.ledger() == one.ledger();
  }

  private void settle(SubscriptionTable table, String id) {
    Subscription s = table.get(id);
    Optional<Long> due = s == null ? Optional.empty() : WakeSchedule.due(s);
    due.ifPresentOrElse(at -> alarms.set(id, at, clock.millis()), () -> alarms.cancel(id));
    if (s != null && s.now().full() && rules.membership().hasRoom(table, s)) {
      s.now().full(false);
      sightings.compareAllSoon();
    }
  }

  private void ring(String id) {
    decided(
        (step, now) -> {
          Subscription s = now.table().get(id);
          if (s != null) {
            s.wake()
                .ifPresent(wake -> wake.snapshot().keySet().forEach(sightings.hints()::changed));
            rules.wakes().tick(step, s);
          }
          return true;
        });
  }

  @Override
  public void started(WakeCall call) {
    decided(
        (step, now) -> {
          now.table().find(call.id()).ifPresent(s -> rules.wakes().started(step, s));
          return true;
        });
  }

  @Override
  public void answered(WakeCall call, boolean done) {
    decided(
        (step, now) -> {
          rules.wakes().answered(step, call, done);
          return true;
        });
  }

  @Override
  public void announced(WakeCall call) {
    decided(
        (step, now) -> {
          rules.wakes().announced(step, call);
          now.table()
              .find(call.id())
              .ifPresent(
                  s -> {
                    if (s.config().delivery() instanceof WakeDelivery.PullWake p) {
                      sightings.hints().changed(p.stream()); // other subscriptions may follow it
                    }
                  });
          return true;
        });
  }

  @Override
  public void failed(WakeCall call, Throwable failure) {
    LOG.log(Level.DEBUG, () -> "a wake of %s did not get through".formatted(call.id()), failure);
    decided(
        (step, now) -> {
          rules.wakes().failed(step, call);
          return true;
        });
  }

  /** Decides for no waiting caller: if it can't be stored, the next load finds out what to do. */
  private void decided(Rule<Boolean> rule) {
    decide(rule)
        .onFailure(
            failure -> {
              if (!(failure instanceof StoreException)) {
                LOG.log(Level.ERROR, "a subscription failed for a reason of our own", failure);
              }
            });
  }

  /** Decides nothing more, and completes when all decisions are written. */
  public Future<Void> close() {
    LoadedState last = state;
    closed = true;
    state = null;
    alarms.clear();
    sightings.listen(false);
    Future<Void> written = last == null ? Future.succeededFuture() : last.ledger().write(List.of());
    return written.otherwiseEmpty().onComplete(done -> webhooks.close());
  }

  private static StoreException away() {
    return new StoreException("subscriptions are not ready: repeat this in a moment");
  }
}
