package dev.semel.cli.tui;

import dev.semel.admin.HealthReport;
import dev.semel.admin.OperationRecord;
import dev.semel.admin.StoreStats;
import dev.semel.advice.Recommendations;
import dev.semel.alert.Alert;
import dev.semel.idempotency.spi.DecisionCounter;
import dev.semel.outbox.spi.OutboxOperations;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Everything except keys and events, read at one time.
 *
 * @param outbox empty: the targets have none
 * @param alerts those that fire or are about to
 * @param answered how long the store, or the server, took for the counts
 * @param took how long all readings took
 */
public record OverviewData(
    StoreStats stats,
    List<OperationRecord> queues,
    HealthReport health,
    List<Alert> alerts,
    Recommendations counsel,
    Optional<OutboxOperations.Status> outbox,
    Duration answered,
    Duration took) {
  public OverviewData {
    queues = List.copyOf(queues);
    alerts = List.copyOf(alerts);
  }

  public List<Alert> firing() {
    return alerts.stream().filter(alert -> alert.state() == Alert.State.FIRING).toList();
  }

  /** The count of the last day. */
  public long lastDay(DecisionCounter counter) {
    return stats.trend().stream().mapToLong(point -> point.counts().get(counter)).sum();
  }

  /** Share of duplicates among the requests of the last day, from 0 to 1. */
  public double blockedShare() {
    long requests = lastDay(DecisionCounter.REQUESTS);
    return requests == 0
        ? 0
        : Math.clamp((double) lastDay(DecisionCounter.DUPLICATES) / requests, 0.0, 1.0);
  }
}
