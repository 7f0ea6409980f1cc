package dev.semel.alert.internal;

import dev.semel.alert.AlertSources;
import dev.semel.idempotency.internal.ClockSkew;
import dev.semel.idempotency.spi.StatisticsStore;
import dev.semel.idempotency.spi.StatisticsStore.Slice;
import dev.semel.idempotency.spi.Store;
import dev.semel.inbox.spi.InboxOperations;
import dev.semel.loop.internal.LoopFailures;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/** Measures all sources. Leaves out what can't be read; throws nothing. For one thread. */
public final class AlertSampler {
  /** The most expired records that are counted. */
  public static final int MAX_ENDED = 10_001;

  /**
   * How many samples pass between two full reads of the inbox, which count every row; its dead
   * letters are counted for each sample.
   */
  static final int SAMPLES_PER_INBOX = 10;

  private static final Duration MINUTE = Duration.ofMinutes(1);

  /** The name for this process's own clock. */
  private static final String HERE = "";

  private final AlertSources sources;
  private final InstantSource clock;
  private final LogWatch log;
  private Optional<Instant> lastRead = Optional.empty();
  private Optional<Instant> awaySince = Optional.empty();
  private Optional<InboxOperations.Status> inbox = Optional.empty();
  private long samples;

  public AlertSampler(AlertSources sources, InstantSource clock) {
    this.sources = sources;
    this.clock = clock;
    this.log = new LogWatch(sources.store().events());
  }

  /** Reads all sources. */
  public AlertSample take() {
    Optional<AlertSample.OfStore> store = read(this::store);
    Instant at = clock.instant();
    if (store.isPresent()) {
      awaySince = Optional.empty();
    } else if (awaySince.isEmpty()) {
      awaySince = Optional.of(lastRead.orElse(at));
    }
    lastRead = store.isPresent() ? Optional.of(at) : lastRead;
    boolean all = samples++ % SAMPLES_PER_INBOX == 0;
    Optional<InboxOperations.Status> known = all ? Optional.empty() : inbox;
    inbox = sources.inbox().flatMap(i -> read(() -> known.map(i::recounted).orElseGet(i::status)));
    return AlertSample.of(at, awaySince.map(from -> between(from, at)).orElse(Duration.ZERO), store)
        .withOutbox(sources.outbox().flatMap(o -> read(o::status)))
        .withInbox(inbox)
        .withJobs(sources.jobs().flatMap(j -> read(j::counts)))
        .withDisks(read(sources.disks()).orElse(Map.of()));
  }

  private static Duration between(Instant from, Instant to) {
    Duration time = Duration.between(from, to);
    return time.isNegative() ? Duration.ZERO : time;
  }

  private AlertSample.OfStore store() {
    Store store = sources.store();
    ClockSkew skew = ClockSkew.measure(store, clock);
    Instant now = store.now();
    List<Slice> minutes = minutes(store.statistics());
    AlertSample.OfLog heard = log.read(clock.instant());
    Map<String, Duration> skews = new HashMap<>(heard.skews());
    skews.put(HERE, skew.sure());
    return new AlertSample.OfStore(
        now,
        minutes,
        store.room(),
        store.catalog().ended(MAX_ENDED),
        new AlertSample.OfLog(skews, heard.lost()));
  }

  /** Reads the whole day at first, to learn from it, and after an outage. */
  private List<Slice> minutes(StatisticsStore statistics) {
    boolean fresh = lastRead.isPresent() && awaySince.isEmpty();
    return fresh ? statistics.trend(MINUTE, RuleEvaluator.REMEMBERED) : statistics.trend(MINUTE);
  }

  /** After any failure, this sample lacks the part, and the next one tries again. */
  private static <T> Optional<T> read(Supplier<T> reading) {
    try {
      return Optional.of(reading.get());
    } catch (RuntimeException e) {
      LoopFailures.report("semel-alerts", e);
      return Optional.empty();
    }
  }
}
