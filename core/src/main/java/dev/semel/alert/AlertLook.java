package dev.semel.alert;

import dev.semel.StoreException;
import dev.semel.alert.internal.AlertList;
import dev.semel.alert.internal.AlertSample;
import dev.semel.alert.internal.AlertSampler;
import java.time.InstantSource;
import java.util.List;

/** One look at what is beyond its limit, for who does not watch. */
public final class AlertLook {
  private AlertLook() {}

  /**
   * What is beyond its limit fires at once, since there is no past to look at.
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
