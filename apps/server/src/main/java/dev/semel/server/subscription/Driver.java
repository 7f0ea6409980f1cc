package dev.semel.server.subscription;

import dev.semel.InvalidInput;
import dev.semel.StoreException;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.lang.System.Logger.Level;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The order of steps, all on one context: decide on the table, write, and only then answer and
 * call. When a write fails nobody knows what is written, so everything is loaded again; meanwhile
 * requests are told to come back.
 */
final class Driver implements Decider, Caller.Listener {
  private static final System.Logger LOG = System.getLogger("dev.semel.server");

  /** How long to wait before the state is loaded again. */
  private static final long PAUSE_MILLIS = 1000;

  private final Vertx vertx;
  private final InstantSource clock;
  private final SubscriptionSettings settings;
  private final Engine engine;
  private final Rules rules;
  private final Webhooks webhooks;
  private final Caller caller;
  private final Alarms alarms;
  private final Sightings sightings;
  private @Nullable State state;
  private boolean closed;

  Driver(
      Vertx vertx,
      Engine engine,
      Webhooks webhooks,
      SubscriptionSettings settings,
      InstantSource clock) {
    this.vertx = vertx;
    this.clock = clock;
    this.settings = settings;
    this.engine = engine;
    this.rules = Rules.of(settings.limits(), Chance.secure());
    this.webhooks = webhooks;
    this.caller = new Caller(webhooks, engine, settings.limits());
    this.alarms = new Alarms(vertx, this::ring);
    this.sightings = new Sightings(vertx, engine, this, rules.membership());
  }

  Rules rules() {
    return rules;
  }

  Sightings sightings() {
    return sightings;
  }

  @Override
  public Optional<State> state() {
    return Optional.ofNullable(state);
  }

  @Override
  public Optional<Table> table() {
    return Optional.ofNullable(state).map(State::table);
  }

  /** Takes up where the last one left off. */
  Future<Void> load() {
    StateLog log = new StateLog(engine);
    return log.load().compose(changes -> begin(log, changes));
  }

  /**
   * The same when a server starts. Another one that starts at the same moment may write first: then
   * this one is refused, and loads what was written, as it does whenever that happens later.
   */
  Future<Void> start() {
    StateLog log = new StateLog(engine);
    return log.load().compose(changes -> begin(log, changes).otherwiseEmpty());
  }

  private Future<Void> begin(StateLog log, List<Change> changes) {
    if (closed) {
      return Future.failedFuture(away());
    }
    Table table = new Table();
    changes.forEach(table::apply);
    table.dropHidden();
    Step step = new Step(table, clock.millis());
    if (table.secret().isEmpty()) {
      step.add(new Change.Secret(Tokens.drawSecret()));
      step.add(new Change.Key(SigningKey.draw(step.now())));
    }
    table.all().forEach(s -> rules.wakes().resume(step, s));
    Ledger ledger = new Ledger(log, table, settings.limits().logBytes(), this::lost);
    State next =
        new State(table, new Views(table, settings.root()), new Tokens(table.secret()), ledger);
    state = next;
    Future<Void> written = commit(next, step);
    sightings.compareAll(); // after it: what is decided is written in that order
    return written;
  }

  /** What was decided but not written must not be acted upon. */
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
    State now = state;
    if (now == null) {
      return Future.failedFuture(away());
    }
    Step step = new Step(now.table(), clock.millis());
    T result;
    try {
      result = rule.decide(step, now);
    } catch (InvalidInput e) {
      return Future.failedFuture(e);
    } catch (RuntimeException e) {
      now.ledger().abandon(); // half a decision is none
      return Future.failedFuture(e);
    }
    return commit(now, step).map(written -> result);
  }

  private Future<Void> commit(State now, Step step) {
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

  /** Whether nothing was lost since. */
  private boolean isCurrent(State one) {
    return state != null && state.ledger() == one.ledger();
  }

  private void settle(Table table, String id) {
    Subscription s = table.get(id);
    Optional<Long> due = s == null ? Optional.empty() : Wakes.due(s);
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
            s.wake().ifPresent(wake -> wake.snapshot().keySet().forEach(sightings::changed));
            rules.wakes().tick(step, s);
          }
          return true;
        });
  }

  @Override
  public void started(Call call) {
    decided(
        (step, now) -> {
          now.table().find(call.id()).ifPresent(s -> rules.wakes().started(step, s));
          return true;
        });
  }

  @Override
  public void answered(Call call, boolean done) {
    decided(
        (step, now) -> {
          rules.wakes().answered(step, call, done);
          return true;
        });
  }

  @Override
  public void announced(Call call) {
    decided(
        (step, now) -> {
          rules.wakes().announced(step, call);
          now.table()
              .find(call.id())
              .ifPresent(
                  s -> {
                    if (s.config().delivery() instanceof Delivery.PullWake p) {
                      sightings.changed(p.stream()); // others may follow it
                    }
                  });
          return true;
        });
  }

  @Override
  public void failed(Call call, Throwable failure) {
    LOG.log(Level.DEBUG, () -> "a wake of %s did not get through".formatted(call.id()), failure);
    decided(
        (step, now) -> {
          rules.wakes().failed(step, call);
          return true;
        });
  }

  /** For what nobody waits for: if it can't be kept, the next load finds out what is to be done. */
  private void decided(Rule<Boolean> rule) {
    decide(rule)
        .onFailure(
            failure -> {
              if (!(failure instanceof StoreException)) {
                LOG.log(Level.ERROR, "a subscription failed for a reason of our own", failure);
              }
            });
  }

  /** Decides nothing more, and tells when what was decided is written. */
  Future<Void> close() {
    State last = state;
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
