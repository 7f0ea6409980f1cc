package dev.semel.admin;

import dev.semel.InvalidInput;
import dev.semel.Operation;
import dev.semel.StoreException;
import dev.semel.admin.StoreAdmin.VersionedSettings;
import dev.semel.admin.internal.AuditWriter;
import dev.semel.advice.Advice;
import dev.semel.advice.AdviceCriteria;
import dev.semel.advice.Recommendations;
import dev.semel.advice.internal.Advisor;
import dev.semel.advice.internal.UsageFigures;
import dev.semel.event.EventLine;
import dev.semel.event.spi.EventStore;
import dev.semel.idempotency.OperationSettings;
import dev.semel.idempotency.spi.DecisionCounts;
import dev.semel.idempotency.spi.StatisticsStore.Scope;
import dev.semel.idempotency.spi.StatisticsStore.Slice;
import dev.semel.idempotency.spi.Store;
import dev.semel.internal.PrintableText;
import dev.semel.json.Json;
import dev.semel.json.JsonValue.JsonNumber;
import dev.semel.json.JsonValue.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Gathers the figures of a store for an {@link Advisor}, and applies its advice. Safe for use by
 * many threads.
 */
final class AdviceAdmin {
  private static final Duration STEP = Duration.ofHours(1);

  /** Shorter retentions are rounded down to seconds, longer ones to minutes. */
  private static final Duration SHORT = Duration.ofMinutes(10);

  private final Store store;
  private final StoreAdmin admin;
  private final String actor;

  /**
   * Works on this store.
   *
   * @param actor the name under which advice is applied
   */
  public AdviceAdmin(Store store, String actor) {
    this.store = store;
    this.admin = new StoreAdmin(store, actor);
    this.actor = actor;
  }

  /** The advice for now; see {@link UsageFigures} for the brokers' hazards. */
  public Recommendations counsel(AdviceCriteria demand, Map<String, List<String>> hazards) {
    return new Advisor(demand).advise(figures(hazards));
  }

  UsageFigures figures(Map<String, List<String>> hazards) {
    StoreAdmin.Overview overview = admin.overview();
    return new UsageFigures(overview.counts(), lately(), overview.usage(), rules(), hazards);
  }

  private UsageFigures.Lately lately() {
    Instant now = store.now();
    Map<Scope, DecisionCounts> sums = new HashMap<>();
    Instant first = now;
    for (Slice slice : admin.trend(STEP)) {
      first = slice.start().isBefore(first) ? slice.start() : first;
      slice.counts().forEach((scope, counts) -> sums.merge(scope, counts, DecisionCounts::plus));
    }
    return new UsageFigures.Lately(sums, Duration.between(first, now));
  }

  private Map<Operation, UsageFigures.Rule> rules() {
    Map<Operation, UsageFigures.Rule> rules = new HashMap<>();
    seen()
        .forEach(
            (name, seen) -> rules.put(name, new UsageFigures.Rule(OperationSettings.NONE, seen)));
    admin
        .settings()
        .forEach(
            (operation, set) ->
                rules.merge(
                    operation,
                    new UsageFigures.Rule(set.settings(), Duration.ZERO),
                    (known, mine) -> new UsageFigures.Rule(mine.settings(), known.seen())));
    return rules;
  }

  /**
   * Only the program knows the retention in its code. But an event of a replayed duplicate names
   * the record's age and the rest of its retention; their sum is the retention.
   */
  private Map<Operation, Duration> seen() {
    Map<Operation, Duration> seen = new HashMap<>();
    for (EventLine line : store.events().latest(EventStore.MAX_PAGE)) {
      if (line.kind().equals("replayed") && !line.operation().isEmpty()) {
        retention(line)
            .ifPresent(retention -> seen.put(new Operation(line.operation()), retention));
      }
    }
    return seen;
  }

  private static Optional<Duration> retention(EventLine line) {
    if (!(Json.parse(line.details()) instanceof JsonObject details)
        || !(details.get("age_ms").orElse(null) instanceof JsonNumber age)
        || !(details.get("retention_left_ms").orElse(null) instanceof JsonNumber left)) {
      return Optional.empty();
    }
    // The retention counts from the end of the work, the age from its beginning.
    Duration kept = Duration.ofMillis(age.value().add(left.value()).longValue());
    return Optional.of(
        kept.truncatedTo(kept.compareTo(SHORT) < 0 ? ChronoUnit.SECONDS : ChronoUnit.MINUTES));
  }

  /**
   * Makes the advised change, as {@link StoreAdmin#change} does; a second line of the event log
   * says that it followed advice.
   *
   * @throws InvalidInput the advice holds no change, or its change is no longer valid
   * @throws StoreException as {@link StoreAdmin#change}
   */
  public VersionedSettings apply(Advice advice) {
    Operation operation =
        advice
            .operation()
            .filter(named -> advice.applicable())
            .orElseThrow(() -> new InvalidInput("no setting helps here: " + advice.todo()));
    VersionedSettings now = admin.change(operation, advice.change());
    String changes =
        advice.change().entrySet().stream()
            .map(change -> change.getKey().text() + "=" + change.getValue())
            .collect(Collectors.joining(" "));
    new AuditWriter(store, actor)
        .add(
            "apply advice %s: %s".formatted(PrintableText.word(advice.topic()), changes),
            operation.name())
        .write();
    return now;
  }
}
