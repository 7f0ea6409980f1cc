package dev.semel.server.subscription;

import dev.semel.InvalidInput;
import dev.semel.json.JsonValue.JsonObject;
import dev.semel.stream.StreamPath;
import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/** What callers may ask for. Where a decision hangs on how streams are now, it is looked first. */
final class Desk {
  private final Driver driver;
  private final Rules rules;
  private final Candidates candidates;

  Desk(Driver driver, Candidates candidates) {
    this.driver = driver;
    this.rules = driver.rules();
    this.candidates = candidates;
  }

  Future<Reply> put(String id, Config config, String base) {
    return driver
        .decide((step, now) -> rules.membership().confirm(step, id, config, base, now.views()))
        .compose(
            known ->
                known.isPresent()
                    ? Future.succeededFuture(known.get())
                    : driver.sightings().begin(() -> create(id, config, base)));
  }

  private Future<Reply> create(String id, Config config, String base) {
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

  Future<Reply> get(String id) {
    return driver.decide(
        (step, now) ->
            now.table()
                .find(id)
                .<Reply>map(s -> new Reply.Described(false, now.views().subscription(s)))
                .orElseGet(Reply::missing));
  }

  Future<Reply> delete(String id) {
    return driver.decide((step, now) -> rules.membership().delete(step, id));
  }

  /** The streams are looked at as if for a new one: each begins at its tail. */
  Future<Reply> add(String id, List<StreamPath> paths) {
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

  Future<Reply> remove(String id, StreamPath path) {
    return driver.decide((step, now) -> rules.membership().remove(step, id, path));
  }

  Future<Reply> claim(String id, String worker) {
    return looking(
        driver.table().map(table -> Holding.doubtful(table, id)),
        () -> driver.decide((step, now) -> rules.holding().claim(step, id, worker, now.views())));
  }

  Future<Reply> ack(String id, String token, Held held, boolean webhook) {
    return looking(
        driver.table().map(table -> Holding.beyond(table, id, held.acks())),
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

  Future<Reply> release(String id, String token, Held held) {
    return driver.decide(
        (step, now) -> rules.holding().release(step, id, held.by(now.tokens().read(token))));
  }

  private Future<Reply> looking(Optional<Set<StreamPath>> first, Supplier<Future<Reply>> then) {
    return first.filter(paths -> !paths.isEmpty()).isPresent()
        ? driver.sightings().refresh(first.get(), then)
        : then.get();
  }

  Future<JsonObject> keys(long time) {
    return driver.decide((step, now) -> now.views().keys(time));
  }

  /** From here on a new key signs; the old one is shown for a while longer. */
  Future<String> rotate() {
    return driver.decide(
        (step, now) -> {
          if (now.table().keys().published(step.now()).size() >= KeyRing.MAX_KEYS) {
            throw new InvalidInput(
                "%d keys are shown already: wait until the oldest is no longer needed"
                    .formatted(KeyRing.MAX_KEYS));
          }
          SigningKey key = SigningKey.draw(step.now());
          step.add(new Change.Key(key));
          return key.kid();
        });
  }
}
