package dev.semel.alert;

import dev.semel.Operation;
import dev.semel.Tenant;
import dev.semel.alert.internal.AlertList;
import dev.semel.alert.internal.AlertSample;
import dev.semel.idempotency.spi.DecisionCounter;
import dev.semel.idempotency.spi.DecisionCounts;
import dev.semel.idempotency.spi.StatisticsStore.Scope;
import dev.semel.idempotency.spi.StatisticsStore.Slice;
import dev.semel.idempotency.spi.Store;
import dev.semel.inbox.spi.InboxOperations;
import dev.semel.job.spi.JobOperations;
import dev.semel.outbox.spi.OutboxOperations;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** A world that is measured every ten seconds, with a clock that a test moves. */
public final class Measured {
  static final Duration STEP = Duration.ofSeconds(10);

  private final AlertList alerts;
  private final Map<Instant, Map<Scope, DecisionCounts>> minutes = new TreeMap<>();
  private Instant now = Instant.parse("2026-01-01T00:00:00Z");
  private Optional<Store.Room> room = Optional.empty();
  private Map<String, Store.Room> disks = Map.of();
  private int ended;
  private AlertSample.OfLog log = AlertSample.OfLog.EMPTY;
  private Optional<Instant> awaySince = Optional.empty();
  private Optional<OutboxOperations.Status> outbox = Optional.empty();
  private Optional<InboxOperations.Status> inbox = Optional.empty();
  private Optional<JobOperations.Counts> jobs = Optional.empty();

  public Measured(AlertSettings settings) {
    this.alerts = new AlertList(settings);
  }

  Instant now() {
    return now;
  }

  public AlertList alerts() {
    return alerts;
  }

  /** Counted in this very minute. */
  public Measured count(String operation, Map<DecisionCounter, Long> counts) {
    minutes
        .computeIfAbsent(now.truncatedTo(ChronoUnit.MINUTES), m -> new HashMap<>())
        .merge(
            new Scope(Tenant.DEFAULT, new Operation(operation)),
            new DecisionCounts(counts),
            DecisionCounts::plus);
    return this;
  }

  public Measured room(long used, long limit) {
    room = Optional.of(new Store.Room(used, limit));
    return this;
  }

  public Measured disk(String name, long used, long limit) {
    disks = Map.of(name, new Store.Room(used, limit));
    return this;
  }

  /** It can't be looked at any more. */
  public Measured withoutDisks() {
    disks = Map.of();
    return this;
  }

  public Measured ended(int records) {
    ended = records;
    return this;
  }

  public Measured log(Map<String, Duration> skews, long lost) {
    log = new AlertSample.OfLog(skews, lost);
    return this;
  }

  public Measured away() {
    awaySince = Optional.of(now);
    return this;
  }

  public Measured back() {
    awaySince = Optional.empty();
    return this;
  }

  public Measured outbox(long dead, Map<String, Duration> oldest) {
    List<OutboxOperations.DestinationStatus> destinations = new ArrayList<>();
    oldest.forEach(
        (name, age) ->
            destinations.add(new OutboxOperations.DestinationStatus(name, 1, 0, Optional.of(age))));
    outbox =
        Optional.of(
            new OutboxOperations.Status(
                oldest.size(),
                0,
                dead,
                0,
                oldest.values().stream().max(Duration::compareTo),
                destinations,
                List.of()));
    return this;
  }

  public Measured inbox(String consumer, long inDoubt, long dead) {
    inbox =
        Optional.of(
            new InboxOperations.Status(
                List.of(
                    new InboxOperations.ConsumerStatus(
                        consumer, 1, Optional.empty(), inDoubt, 0, 0, dead, Optional.empty())),
                1));
    return this;
  }

  public Measured jobs(long failed, long inDoubt) {
    jobs = Optional.of(new JobOperations.Counts(0, 0, 0, 0, failed, inDoubt, Optional.empty()));
    return this;
  }

  /** The queues are asked in vain. */
  public Measured withoutJobs() {
    jobs = Optional.empty();
    return this;
  }

  AlertSample measures() {
    List<Slice> slices =
        minutes.entrySet().stream().map(e -> new Slice(e.getKey(), e.getValue())).toList();
    Optional<AlertSample.OfStore> store =
        awaySince.isPresent()
            ? Optional.empty()
            : Optional.of(new AlertSample.OfStore(now, slices, room, ended, log));
    Duration away = awaySince.map(from -> Duration.between(from, now)).orElse(Duration.ZERO);
    return AlertSample.of(now, away, store)
        .withOutbox(outbox)
        .withInbox(inbox)
        .withJobs(jobs.map(Measured::emails))
        .withDisks(disks);
  }

  private static SortedMap<Operation, JobOperations.Counts> emails(JobOperations.Counts counts) {
    SortedMap<Operation, JobOperations.Counts> queues =
        new TreeMap<>(Comparator.comparing(Operation::name));
    queues.put(new Operation("emails"), counts);
    return queues;
  }

  /** Measures now, and every ten seconds until this time has passed; returns the changed alerts. */
  public List<Alert> pass(Duration time) {
    List<Alert> told = new ArrayList<>(alerts.observe(measures()));
    for (Instant end = now.plus(time); now.isBefore(end); ) {
      now = now.plus(STEP);
      told.addAll(alerts.observe(measures()));
    }
    return told;
  }

  /** One look, and ten seconds. */
  public List<Alert> step() {
    List<Alert> told = alerts.observe(measures());
    now = now.plus(STEP);
    return told;
  }

  /** Without a look. */
  public void skip(Duration time) {
    now = now.plus(time);
  }
}
