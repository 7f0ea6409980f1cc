package dev.semel.alert;

import dev.semel.StoreException;
import dev.semel.alert.internal.AlertList;
import dev.semel.alert.internal.AlertSample;
import dev.semel.alert.internal.AlertSampler;
import java.time.InstantSource;
import java.util.List;

/** Measures alerts once, for callers without an {@link AlertWatch}. */
public final class AlertLook {
  private AlertLook() {}

  /**
   * The alerts now. A value beyond its limit fires at once, because there is no history.
   *
   * @throws StoreException the store can't be read
   */
  public static List<Alert> at(AlertSources sources, AlertSettings settings) {
    AlertSample measures = new AlertSampler(sources, InstantSource.system()).take();
    if (measures.store().isEmpty()) {
      throw new StoreException(
          "%s can't be read: see semel doctor".formatted(sources.store().describe()));
    }
    AlertList alerts = new AlertList(settings.atOnce());
    List<Alert> unused = alerts.observe(measures);
    return alerts.list();
  }
}
