package dev.semel.alert;

import dev.semel.alert.internal.AlertList;
import dev.semel.alert.internal.AlertSampler;
import dev.semel.event.SemelListener;
import dev.semel.event.internal.EventLog;
import dev.semel.event.spi.EventSink;
import dev.semel.loop.Platform;
import dev.semel.loop.internal.Loop;
import java.util.List;
import java.util.function.Consumer;

/**
 * Measures a store and its outbox, inbox, jobs and disks every few seconds, on its own thread, and
 * reports alerts that begin and end to the store's event log and to a consumer. Safe for use by
 * many threads.
 *
 * <p>Where several processes watch the same store, each reports; one is enough.
 */
public final class AlertWatch implements AutoCloseable {
  private final AlertSampler sampler;
  private final AlertList alerts;
  private final EventSink sink;
  private final EventLog log = new EventLog(key -> false); // alerts name operations, not keys
  private final Consumer<Alert> told;
  private final Loop loop;

  private AlertWatch(
      Platform platform, AlertSources sources, AlertSettings settings, Consumer<Alert> told) {
    this.sampler = new AlertSampler(sources, platform.clock());
    this.alerts = new AlertList(settings);
    this.sink = new EventSink(sources.store().events(), platform.clock(), key -> false);
    this.told = told;
    this.loop = Loop.start(platform, "semel-alerts", this::turn, settings.every());
  }

  /**
   * Measures for the first time at once.
   *
   * @param told receives each alert that begins or ends, in addition to the event log; must be
   *     quick
   */
  public static AlertWatch start(
      Platform platform, AlertSources sources, AlertSettings settings, Consumer<Alert> told) {
    return new AlertWatch(platform, sources, settings, told);
  }

  private boolean turn() {
    for (Alert alert : alerts.observe(sampler.take())) {
      sink.on(alert.event());
      log.on(alert.event());
      told.accept(alert);
    }
    sink.flush(); // throws while the store is away, and keeps its lines for the next turn
    return false;
  }

  /** Writes other events of this process into the same event log, such as failed loops. */
  public SemelListener listener() {
    return sink;
  }

  /** As {@link AlertList#list}. */
  public List<Alert> alerts() {
    return alerts.list();
  }

  /** Measures now. */
  public void refresh() {
    loop.wake();
  }

  @Override
  public void close() {
    loop.close();
  }
}
