package dev.semel.micrometer;

import dev.semel.idempotency.spi.DecisionCounts;
import dev.semel.idempotency.spi.KeyCatalog;
import dev.semel.idempotency.spi.Store;
import dev.semel.inbox.spi.InboxOperations;
import dev.semel.loop.internal.Loop;
import dev.semel.loop.internal.LoopFailures;
import dev.semel.outbox.spi.OutboxOperations;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.ToDoubleFunction;

/**
 * Micrometer gauges for the contents of a store, an outbox and an inbox. A background thread reads
 * them periodically, so neither executions nor scrapes wait for the store. A value that could not
 * be read is NaN, and {@code semel.store.up} is then 0.
 *
 * <p>Every process shows the same values of the shared store: use any one, don't sum them.
 */
public final class StatusMeters implements AutoCloseable {
  private static final String LOOP = "semel-meters";

  /**
   * An inbox report counts every row, so the full report is read only once in this many samples;
   * dead letters are counted each time.
   */
  static final int SAMPLES_PER_INBOX = 10;

  /** What to read; without an outbox or inbox their gauges are missing. */
  public record Sources(
      Store store, Optional<OutboxOperations> outbox, Optional<InboxOperations> inbox) {
    public static Sources of(Store store) {
      return new Sources(store, Optional.empty(), Optional.empty());
    }
  }

  private record Records(KeyCatalog.Usage usage, DecisionCounts counts) {}

  private final MeterRegistry registry;
  private final Sources sources;
  private final List<Meter> gauges = new ArrayList<>();
  private final Set<String> loops = new HashSet<>();
  private final Loop loop;
  private volatile Optional<Records> records = Optional.empty();
  private volatile Optional<OutboxOperations.Status> outbox = Optional.empty();
  private volatile Optional<InboxOperations.Status> inbox = Optional.empty();
  private long samples;

  private StatusMeters(MeterRegistry registry, Sources sources, MeterSettings settings) {
    this.registry = registry;
    this.sources = sources;
    ofRecords();
    if (sources.outbox().isPresent()) {
      ofOutbox();
    }
    if (sources.inbox().isPresent()) {
      ofInbox();
    }
    this.loop = Loop.start(LOOP, this::turn, settings.sampleEvery());
  }

  /** Starts reading: at once, and then as often as the settings say. */
  public static StatusMeters start(
      MeterRegistry registry, Sources sources, MeterSettings settings) {
    return new StatusMeters(registry, sources, settings);
  }

  private void ofRecords() {
    gauge(
        "semel.store.up",
        "Whether the store could be read",
        "",
        s -> s.records.isPresent() ? 1 : 0);
    records("semel.active.keys", "Records that are kept", "", r -> (double) r.usage().activeKeys());
    records(
        "semel.storage.usage",
        "What the records take up",
        "bytes",
        r -> (double) r.usage().bytes());
    records(
        "semel.hit.rate",
        "Duplicates among all requests, of all processes",
        "percent",
        r -> r.counts().hitRate() * 100);
  }

  private void ofOutbox() {
    outbox("semel.outbox.pending", "Messages that wait", "", s -> (double) s.pending());
    outbox(
        "semel.outbox.failing", "Of those, refused at least once", "", s -> (double) s.failing());
    outbox("semel.outbox.dead.letters", "Messages that were given up", "", s -> (double) s.dead());
    outbox("semel.outbox.kept", "Messages kept as history", "", s -> (double) s.kept());
    outbox("semel.outbox.oldest.age", "Of those that wait", "seconds", s -> seconds(s.oldest()));
    outbox("semel.outbox.relays", "Relays that live", "", s -> s.relays().size());
  }

  private void ofInbox() {
    inbox("semel.inbox.ids", "Ids that are kept", c -> (double) c.ids());
    inbox("semel.inbox.pending", "Stored messages that wait", c -> (double) c.pending());
    inbox("semel.inbox.dead.letters", "Stored messages that were given up", c -> (double) c.dead());
    inbox("semel.inbox.in.doubt", "Messages in doubt", c -> (double) c.inDoubt());
  }

  private static double seconds(Optional<Duration> age) {
    return age.map(a -> a.toMillis() / 1000.0).orElse(0.0);
  }

  private void records(
      String name, String description, String unit, ToDoubleFunction<Records> value) {
    gauge(name, description, unit, s -> number(s.records, value));
  }

  private void outbox(
      String name,
      String description,
      String unit,
      ToDoubleFunction<OutboxOperations.Status> value) {
    gauge(name, description, unit, s -> number(s.outbox, value));
  }

  private void inbox(
      String name, String description, ToDoubleFunction<InboxOperations.ConsumerStatus> value) {
    gauge(
        name,
        description,
        "",
        s -> number(s.inbox, all -> all.consumers().stream().mapToDouble(value).sum()));
  }

  private static <T> double number(Optional<T> read, ToDoubleFunction<T> value) {
    return read.map(value::applyAsDouble).orElse(Double.NaN);
  }

  private void gauge(
      String name, String description, String unit, ToDoubleFunction<StatusMeters> value) {
    Gauge.Builder<StatusMeters> gauge = Gauge.builder(name, this, value).description(description);
    gauges.add((unit.isEmpty() ? gauge : gauge.baseUnit(unit)).register(registry));
  }

  private boolean turn() {
    records = read(this::readRecords);
    outbox = sources.outbox().flatMap(o -> read(o::status));
    LoopFailures.counts().keySet().forEach(this::ofLoop);
    boolean all = samples++ % SAMPLES_PER_INBOX == 0;
    Optional<InboxOperations.Status> known = all ? Optional.empty() : inbox;
    inbox = sources.inbox().flatMap(i -> read(() -> known.map(i::recounted).orElseGet(i::status)));
    return false;
  }

  private void ofLoop(String loop) {
    if (loops.add(loop)) {
      gauges.add(
          FunctionCounter.builder("semel.loop.failures", loop, LoopFailures::count)
              .description("Turns of background loops that failed, in this process")
              .tag(MeterTag.LOOP, loop)
              .register(registry));
    }
  }

  private Records readRecords() {
    DecisionCounts total =
        sources.store().statistics().read().values().stream()
            .reduce(DecisionCounts.ZERO, DecisionCounts::plus);
    return new Records(sources.store().catalog().usage(), total);
  }

  private interface Reading<T> {
    T read();
  }

  /** Returns empty on any failure: the gauges show NaN, and the next sample tries again. */
  private static <T> Optional<T> read(Reading<T> reading) {
    try {
      return Optional.of(reading.read());
    } catch (RuntimeException e) {
      LoopFailures.report(LOOP, e);
      return Optional.empty();
    }
  }

  /** Reads now instead of at the next sample. */
  public void refresh() {
    loop.wake();
  }

  /** Stops reading, and removes the gauges. */
  @Override
  public void close() {
    loop.close();
    gauges.forEach(registry::remove);
  }
}
