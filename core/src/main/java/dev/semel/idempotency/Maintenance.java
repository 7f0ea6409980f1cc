package dev.semel.idempotency;

import dev.semel.Key;
import dev.semel.event.Event;
import dev.semel.event.SemelListener;
import dev.semel.event.internal.EventLog;
import dev.semel.event.spi.EventSink;
import dev.semel.idempotency.internal.ClockSkew;
import dev.semel.idempotency.internal.DecisionReporter;
import dev.semel.idempotency.internal.DuplicateStorms;
import dev.semel.idempotency.internal.LiveSettings;
import dev.semel.idempotency.internal.StatisticsCollector;
import dev.semel.idempotency.spi.Store;
import dev.semel.loop.Platform;
import dev.semel.loop.internal.Loop;
import dev.semel.loop.internal.LoopFailures;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;

/**
 * The background work of a process for one store, on one thread: writes counts and events to the
 * store every second, reads the settings every other second, and now and then checks the clock and
 * trims the event log. It is not in an execution's path, and its failures stop no execution.
 */
public final class Maintenance implements AutoCloseable {
  public static final Duration EVERY = Duration.ofSeconds(1);

  /** A change of the settings reaches every process within this time, plus one read. */
  public static final Duration SETTINGS_EVERY = Duration.ofSeconds(2);

  /** A larger difference between this machine's clock and the store's is reported. */
  public static final Duration MAX_SKEW = Duration.ofSeconds(2);

  private static final String LOOP = "semel-upkeep";
  private static final int TURNS_PER_SETTINGS = (int) SETTINGS_EVERY.dividedBy(EVERY);
  private static final int TURNS_PER_LOOK = 60;

  private final Store store;
  private final InstantSource clock;
  private final StatisticsCollector statistics;
  private final LiveSettings settings;
  private final EventSink sink;
  private final DecisionReporter reporter;
  private final DuplicateStorms storms = new DuplicateStorms();
  private final List<Runnable> more = new CopyOnWriteArrayList<>();

  /**
   * Random, so that processes don't trim at the same time, and some of many short-lived ones do.
   */
  private final long trimTurn;

  private final Loop loop;
  private long turn;

  private Maintenance(Store store, SemelListener listener, Platform platform) {
    this.store = store;
    this.clock = platform.clock();
    this.trimTurn = platform.random(TURNS_PER_LOOK);
    this.statistics = new StatisticsCollector(store.statistics());
    this.settings = new LiveSettings(store.settings(), platform);
    Predicate<Key> masked = key -> settings.of(key.operation()).maskIds();
    this.sink = new EventSink(store.events(), clock, masked);
    // The sink first: it never throws, and a listener's failure must not cost the log its event.
    this.reporter = new DecisionReporter(statistics, sink.and(new EventLog(masked)).and(listener));
    this.loop = Loop.start(platform, LOOP, this::runOnce, EVERY);
  }

  /**
   * Starts at once.
   *
   * @param listener receives every event, in addition to the store
   */
  public static Maintenance start(Store store, SemelListener listener) {
    return start(store, listener, Platform.REAL);
  }

  static Maintenance start(Store store, SemelListener listener, Platform platform) {
    return new Maintenance(store, listener, platform);
  }

  public DecisionReporter reporter() {
    return reporter;
  }

  /** For other parts that report events, such as relays and consumers. */
  public SemelListener listener() {
    return reporter::emit;
  }

  public LiveSettings settings() {
    return settings;
  }

  /** Adds a step to run every second. */
  void also(Runnable step) {
    more.add(step);
  }

  private boolean runOnce() {
    more.forEach(Maintenance::quietly);
    quietly(() -> storms.after(statistics.flush()).forEach(reporter::emit));
    quietly(sink::flush);
    if (turn % TURNS_PER_SETTINGS == 0) {
      quietly(settings::refresh);
    }
    if (turn % TURNS_PER_LOOK == 0) {
      quietly(this::lookAtTheClock);
    }
    if (turn % TURNS_PER_LOOK == trimTurn) {
      quietly(sink::trim);
    }
    turn++;
    return false;
  }

  /** A step that fails, because the store is away, must not stop the others. */
  private static void quietly(Runnable step) {
    try {
      step.run();
    } catch (RuntimeException e) {
      LoopFailures.report(LOOP, e); // the step runs again in a second, and keeps its data
    }
  }

  void lookAtTheClock() {
    ClockSkew skew = ClockSkew.measure(store, clock);
    if (skew.sure().compareTo(MAX_SKEW) > 0) {
      reporter.emit(new Event.ClockSkewed(skew.ahead()));
    }
  }

  /**
   * Writes the remaining counts and events.
   *
   * @throws dev.semel.StoreException the last counts or events could not be written
   */
  @Override
  public void close() {
    loop.close();
    try {
      statistics.flush();
    } finally {
      sink.flush();
    }
  }
}
