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
 * Gathers what an {@link Advisor} wants to know of a store, and does what it advised. Safe for use
 * by many threads.
 */
final class AdviceAdmin {
  private static final Duration STEP = Duration.ofHours(1);

  /** Below this a retention is told by the second, else by the minute. */
  private static final Duration SHORT = Duration.ofMinutes(10);

  private final Store store;
  private final StoreAdmin admin;
  private final String actor;

  /**
   * On this store.
   *
   * @param actor in whose name advice is applied
   */
  public AdviceAdmin(Store store, String actor) {
    this.store = store;
    this.admin = new StoreAdmin(store, actor);
    this.actor = actor;
  }

  /** What is to be said now; see {@link UsageFigures} for the brokers' hazards. */
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
   * What the program's code says is known to nobody else; but a duplicate that was answered has
   * been told for how long its record is still kept.
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
    // Kept from the end of the work on, and its age counts from the beginning.
    Duration kept = Duration.ofMillis(age.value().add(left.value()).longValue());
    return Optional.of(
        kept.truncatedTo(kept.compareTo(SHORT) < 0 ? ChronoUnit.SECONDS : ChronoUnit.MINUTES));
  }

  /**
   * Does what was advised, as {@link StoreAdmin#change}; a second line of the event log says that
   * it was an advice.
   *
   * @throws InvalidInput it holds no change, or one that makes no sense any more
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
