package dev.semel.micrometer;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;

/** The meters of one operation; they are registered from the start. */
final class OperationMeters {
  /** The answer to a request. */
  enum Answer {
    GRANTED,
    TAKEN_OVER,
    REPLAYED,
    IN_FLIGHT,
    MISMATCH,
    IN_DOUBT,
    NOT_ASKED
  }

  /** How completed work ended. */
  enum End {
    COMPLETED,
    FAILED,
    UNRECORDED
  }

  /** A problem during an execution. */
  enum Trouble {
    RELEASED,
    FAILED,
    STORE
  }

  private static final Duration[] FAST = {
    Duration.ofNanos(100_000),
    Duration.ofMillis(1),
    Duration.ofMillis(5),
    Duration.ofMillis(10),
    Duration.ofMillis(50),
    Duration.ofMillis(100),
    Duration.ofMillis(500),
    Duration.ofSeconds(1),
    Duration.ofSeconds(5)
  };

  private static final Duration[] SLOW = {
    Duration.ofMillis(10),
    Duration.ofMillis(100),
    Duration.ofSeconds(1),
    Duration.ofSeconds(10),
    Duration.ofMinutes(1),
    Duration.ofMinutes(10),
    Duration.ofHours(1),
    Duration.ofHours(24)
  };

  /** One minute, one hour, and 1, 7 and 30 days. */
  private static final double[] RETENTIONS = {60, 3_600, 86_400, 604_800, 2_592_000};

  private final MeterRegistry registry;
  private final String operation;
  private final Map<Answer, Counter> requests;
  private final Map<Answer, Counter> duplicates;
  private final Map<End, Counter> processed;
  private final Map<Trouble, Counter> errors;

  final Counter hits;
  final Counter misses;
  final Counter fenced;
  final Counter outlived;
  final Counter collisions;
  final Timer execution;
  final Timer check;
  final Timer keyGeneration;
  final Timer duplicateAge;
  final DistributionSummary ttl;
  final DistributionSummary responseSize;

  OperationMeters(MeterRegistry registry, String operation) {
    this.registry = registry;
    this.operation = operation;
    this.requests = counters(Answer.class, "semel.requests", "Requests, by how they were answered");
    this.duplicates = new EnumMap<>(Answer.class);
    for (Answer answer : new Answer[] {Answer.REPLAYED, Answer.IN_FLIGHT, Answer.IN_DOUBT}) {
      duplicates.put(
          answer,
          counter("semel.duplicates", "Requests that met an earlier one for their key", answer));
    }
    this.processed = counters(End.class, "semel.processed", "Work that was run to its end");
    this.errors =
        counters(Trouble.class, "semel.errors", "Work that threw, store calls that failed");
    this.hits = counter("semel.hits", "Requests that got what was kept for their key");
    this.misses = counter("semel.misses", "Requests for whose key nothing was kept: they ran");
    this.fenced = counter("semel.fenced", "Steps refused because the key was lost");
    this.outlived = counter("semel.outlived", "Work that ended after its record's retention");
    this.collisions = counter("semel.collisions", "Different requests with the same short hash");
    this.execution = timer("semel.execution", "How long the work took", SLOW);
    this.check = timer("semel.dedup.check", "How long the decision took who runs", FAST);
    this.keyGeneration = timer("semel.key.generation", "How long it took to make the key", FAST);
    this.duplicateAge = timer("semel.duplicate.age", "How old the first was when one came", SLOW);
    this.ttl =
        DistributionSummary.builder("semel.ttl")
            .description("How long records are to be kept")
            .baseUnit("seconds")
            .tag(MeterTag.OPERATION, operation)
            .serviceLevelObjectives(RETENTIONS)
            .register(registry);
    this.responseSize =
        DistributionSummary.builder("semel.response.size")
            .description("Responses that were kept")
            .baseUnit("bytes")
            .tag(MeterTag.OPERATION, operation)
            .register(registry);
  }

  void request(Answer answer) {
    Objects.requireNonNull(requests.get(answer)).increment();
  }

  void duplicate(Answer answer, Duration age) {
    request(answer);
    Objects.requireNonNull(duplicates.get(answer)).increment();
    duplicateAge.record(age);
  }

  void processed(End end) {
    Objects.requireNonNull(processed.get(end)).increment();
  }

  void error(Trouble error) {
    Objects.requireNonNull(errors.get(error)).increment();
  }

  /** Counts a rare event; its meter is registered at the first one. */
  void seldom(String name, String description, Enum<?> outcome) {
    counter(name, description, outcome).increment();
  }

  private <E extends Enum<E>> Map<E, Counter> counters(
      Class<E> type, String name, String description) {
    Map<E, Counter> counters = new EnumMap<>(type);
    for (E constant : type.getEnumConstants()) {
      counters.put(constant, counter(name, description, constant));
    }
    return Collections.unmodifiableMap(counters);
  }

  private Counter counter(String name, String description, Enum<?> outcome) {
    return builder(name, description)
        .tag(MeterTag.OUTCOME, MeterTag.value(outcome))
        .register(registry);
  }

  private Counter counter(String name, String description) {
    return builder(name, description).register(registry);
  }

  private Counter.Builder builder(String name, String description) {
    return Counter.builder(name).description(description).tag(MeterTag.OPERATION, operation);
  }

  private Timer timer(String name, String description, Duration[] buckets) {
    return Timer.builder(name)
        .description(description)
        .tag(MeterTag.OPERATION, operation)
        .serviceLevelObjectives(buckets)
        .register(registry);
  }
}
