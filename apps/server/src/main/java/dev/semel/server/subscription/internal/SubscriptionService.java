package dev.semel.server.subscription.internal;

import dev.semel.InvalidInput;
import dev.semel.json.JsonValue.JsonObject;
import dev.semel.server.subscription.internal.rules.HolderRequest;
import dev.semel.server.subscription.internal.rules.KeyRing;
import dev.semel.server.subscription.internal.rules.SigningKey;
import dev.semel.server.subscription.internal.rules.SubscriptionChange;
import dev.semel.server.subscription.internal.rules.SubscriptionConfig;
import dev.semel.server.subscription.internal.rules.SubscriptionReply;
import dev.semel.server.subscription.internal.rules.SubscriptionRules;
import dev.semel.server.subscription.internal.rules.WakeLeases;
import dev.semel.stream.StreamPath;
import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Answers callers' requests. If a decision depends on the current state of streams, it looks them
 * up first.
 */
public final class SubscriptionService {
  private final SubscriptionDriver driver;
  private final SubscriptionRules rules;
  private final StreamCandidates candidates;

  public SubscriptionService(SubscriptionDriver driver, StreamCandidates candidates) {
    this.driver = driver;
    this.rules = driver.rules();
    this.candidates = candidates;
  }

  public Future<SubscriptionReply> put(String id, SubscriptionConfig config, String base) {
    return driver
        .decide((step, now) -> rules.membership().confirm(step, id, config, base, now.views()))
        .compose(
            known ->
                known.isPresent()
                    ? Future.succeededFuture(known.get())
                    : driver.sightings().begin(() -> create(id, config, base)));
  }

  private Future<SubscriptionReply> create(String id, SubscriptionConfig config, String base) {
    return candidates
        .wakeStream(config)
        .compose(
            refused ->
                refused.isPresent()
                    ? Future.succeededFuture(refused.get())
                    : candidates
                        .of(config)
                        .compose(
                            seen ->
                                driver.decide(
                                    (step, now) ->
                                        rules
                                            .membership()
                                            .put(step, id, config, base, seen, now.views()))));
  }

  public Future<SubscriptionReply> get(String id) {
    return driver.decide(
        (step, now) ->
            now.table()
                .find(id)
                .<SubscriptionReply>map(
                    s -> new SubscriptionReply.Described(false, now.views().subscription(s)))
                .orElseGet(SubscriptionReply::missing));
  }

  public Future<SubscriptionReply> delete(String id) {
    return driver.decide((step, now) -> rules.membership().delete(step, id));
  }

  /** Looks up the streams as for a new subscription: each begins at its tail. */
  public Future<SubscriptionReply> add(String id, List<StreamPath> paths) {
    return driver
        .sightings()
        .refresh(
            paths,
            () ->
                candidates
                    .named(paths)
                    .compose(
                        seen ->
                            driver.decide(
                                (step, now) -> rules.membership().add(step, id, paths, seen))));
  }

  public Future<SubscriptionReply> remove(String id, StreamPath path) {
    return driver.decide((step, now) -> rules.membership().remove(step, id, path));
  }

  public Future<SubscriptionReply> claim(String id, String worker) {
    return looking(
        driver.table().map(table -> WakeLeases.doubtful(table, id)),
        () -> driver.decide((step, now) -> rules.holding().claim(step, id, worker, now.views())));
  }

  public Future<SubscriptionReply> ack(
      String id, String token, HolderRequest held, boolean webhook) {
    return looking(
        driver.table().map(table -> WakeLeases.beyond(table, id, held.acks())),
        () ->
            driver.decide(
                (step, now) ->
                    rules
                        .holding()
                        .ack(
                            step,
                            id,
                            held.by(now.tokens().read(token)),
                            held.acks(),
                            held.done(),
                            webhook)));
  }

  public Future<SubscriptionReply> release(String id, String token, HolderRequest held) {
    return driver.decide(
        (step, now) -> rules.holding().release(step, id, held.by(now.tokens().read(token))));
  }

  private Future<SubscriptionReply> looking(
      Optional<Set<StreamPath>> first, Supplier<Future<SubscriptionReply>> then) {
    return first.filter(paths -> !paths.isEmpty()).isPresent()
        ? driver.sightings().refresh(first.get(), then)
        : then.get();
  }

  public Future<JsonObject> keys(long time) {
    return driver.decide((step, now) -> now.views().keys(time));
  }

  /** Signs with a new key from now on; the old key is shown for a while longer. */
  public Future<String> rotate() {
    return driver.decide(
        (step, now) -> {
          if (now.table().keys().published(step.now()).size() >= KeyRing.MAX_KEYS) {
            throw new InvalidInput(
                "%d keys are shown already: wait until the oldest is no longer needed"
                    .formatted(KeyRing.MAX_KEYS));
          }
          SigningKey key = SigningKey.draw(step.now());
          step.add(new SubscriptionChange.Key(key));
          return key.kid();
        });
  }
}
