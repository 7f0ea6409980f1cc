package dev.semel.micrometer;

import dev.semel.Operation;
import dev.semel.event.Event;
import dev.semel.event.SemelListener;
import dev.semel.idempotency.KeyStrategy;
import dev.semel.idempotency.TimingListener;
import dev.semel.idempotency.spi.Store;
import dev.semel.micrometer.OperationMeters.Answer;
import dev.semel.micrometer.OperationMeters.End;
import dev.semel.micrometer.OperationMeters.Trouble;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;

/**
 * Counts every event of this process as a Micrometer meter. Pass it as the listener of {@code
 * Idempotency}, {@code Maintenance}, a relay or a consumer. Events have no durations: {@link
 * #timing(Store)} and {@link #timing(Operation, KeyStrategy)} time checks and the making of keys.
 * {@link StatusMeters} shows what a store holds.
 *
 * <p>Counts start at zero with the process; a monitoring system adds them up across restarts. Safe
 * for many threads; counting never waits.
 */
public final class SemelMeters implements SemelListener, TimingListener {
  private final MeterRegistry registry;
  private final LimitedMeters<OperationMeters> operations;
  private final MessageMeters messages;
  private final Counter skewed;
  private final Counter changes;
  private final Counter skipped;

  public SemelMeters(MeterRegistry registry) {
    this(registry, MeterSettings.defaults());
  }

  public SemelMeters(MeterRegistry registry, MeterSettings settings) {
    this.registry = registry;
    this.operations =
        new LimitedMeters<>(settings.maxOperations(), name -> new OperationMeters(registry, name));
    this.messages = new MessageMeters(registry, settings.maxDestinations());
    this.skewed = counter(registry, "semel.clock.skewed", "This clock was far from the store's");
    this.changes = counter(registry, "semel.changes", "What operators changed");
    this.skipped = counter(registry, "semel.events.skipped", "Events left out of the log");
  }

  private static Counter counter(MeterRegistry registry, String name, String description) {
    return Counter.builder(name).description(description).register(registry);
  }

  @Override
  public void on(Event event) {
    switch (event) {
      case Event.Keyed keyed -> on(keyed, of(keyed.key().operation()));
      case Event.Messaged messaged -> messages.on(messaged);
      case Event.OfOperation whole -> on(whole, of(whole.operation()));
      case Event.LoopFailed e -> {} // StatusMeters counts them all; only some are events
      case Event.CallersCut e -> {} // the server counts them, semel_held_cut_total
      case Event.ClockSkewed e -> skewed.increment();
      case Event.Changed e -> changes.increment();
      case Event.Skipped e -> skipped.increment((double) e.count());
      case Event.AlertChanged e -> alert(e);
    }
  }

  /** The number of alert rules bounds the number of these meters. */
  private void alert(Event.AlertChanged event) {
    Counter.builder("semel.alert.changes")
        .description("Alerts that began, or are over")
        .tag(MeterTag.ALERT, event.rule())
        .tag(MeterTag.OUTCOME, event.firing() ? "firing" : "resolved")
        .register(registry)
        .increment();
  }

  private static void on(Event.Keyed event, OperationMeters meters) {
    switch (event) {
      case Event.Claimed e -> ran(meters, Answer.GRANTED);
      case Event.TakenOver e -> ran(meters, Answer.TAKEN_OVER);
      case Event.Replayed e -> {
        meters.duplicate(Answer.REPLAYED, e.original().age());
        meters.hits.increment();
      }
      case Event.InFlight e -> meters.duplicate(Answer.IN_FLIGHT, e.original().age());
      case Event.InDoubt e -> meters.duplicate(Answer.IN_DOUBT, e.original().age());
      case Event.Mismatched e -> meters.request(Answer.MISMATCH);
      case Event.Completed e -> {
        meters.processed(End.COMPLETED);
        meters.execution.record(e.took());
        meters.responseSize.record(e.responseBytes());
      }
      case Event.FailureStored e -> {
        meters.processed(End.FAILED);
        meters.error(Trouble.FAILED);
      }
      case Event.Unrecorded e -> meters.processed(End.UNRECORDED);
      case Event.Released e -> meters.error(Trouble.RELEASED);
      case Event.StoreFailed e -> meters.error(Trouble.STORE);
      case Event.Fenced e -> meters.fenced.increment();
      case Event.Outlived e -> meters.outlived.increment();
      case Event.Collided e -> meters.collisions.increment();
      case Event.Unguarded e -> unguarded(meters, e.reason());
      case Event.Reconciled e ->
          meters.seldom(
              "semel.reconciled", "What ran while the store was away, by verdict", e.verdict());
      case Event.JobRetried e ->
          meters.seldom("semel.job.troubles", "Jobs that failed or lost their worker", Job.RETRIED);
      case Event.JobLost e ->
          meters.seldom("semel.job.troubles", "Jobs that failed or lost their worker", Job.LOST);
      case Event.JobBuried e ->
          meters.seldom("semel.job.dead", "Jobs that became dead letters, by why", e.grave());
      case Event.StrategiesDiffer e ->
          meters.seldom(
              "semel.strategy.differences", "Two key strategies disagreed", e.difference());
    }
  }

  private static void on(Event.OfOperation event, OperationMeters meters) {
    switch (event) {
      case Event.CircuitChanged e ->
          meters.seldom(
              "semel.job.circuit.changes",
              "A queue rests, or works again",
              e.open() ? Circuit.OPENED : Circuit.CLOSED);
      case Event.DuplicateStorm e ->
          meters.seldom(
              "semel.duplicate.storms",
              "Far more duplicates than usual",
              e.over() ? Storm.OVER : Storm.BEGAN);
    }
  }

  private enum Job {
    RETRIED,
    LOST
  }

  private enum Circuit {
    OPENED,
    CLOSED
  }

  private enum Storm {
    BEGAN,
    OVER
  }

  private static void ran(OperationMeters meters, Answer answer) {
    meters.request(answer);
    meters.misses.increment();
  }

  /**
   * An observed request was answered before it ran; with protection off the store was not asked.
   */
  private static void unguarded(OperationMeters meters, Event.Unguarded.Reason reason) {
    meters.seldom("semel.unguarded", "Work that ran without protection", reason);
    if (reason == Event.Unguarded.Reason.OFF) {
      meters.request(Answer.NOT_ASKED);
    }
  }

  @Override
  public void checked(Operation operation, Duration took) {
    of(operation).check.record(took);
  }

  @Override
  public void keyMade(Operation operation, Duration took) {
    of(operation).keyGeneration.record(took);
  }

  @Override
  public void kept(Operation operation, Duration retention) {
    of(operation).ttl.record(retention.toMillis() / 1000.0);
  }

  /** A strategy that also reports how long the making of each key takes. */
  public <R> KeyStrategy<R> timing(Operation operation, KeyStrategy<R> strategy) {
    return new TimedStrategy<>(strategy, took -> keyMade(operation, took));
  }

  private OperationMeters of(Operation operation) {
    return operations.of(operation.name());
  }
}
