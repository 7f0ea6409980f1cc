package dev.semel.alert.internal;

import dev.semel.alert.Alert;
import dev.semel.alert.AlertRule;
import dev.semel.alert.AlertThreshold;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The state of one rule for one subject: pending, firing, resolved. For one thread. */
final class AlertState {
  private final AlertRule rule;
  private final AlertThreshold threshold;
  private @Nullable Alert alert;
  private @Nullable Instant calmSince;

  AlertState(AlertRule rule, AlertThreshold threshold) {
    this.rule = rule;
    this.threshold = threshold;
  }

  /** Empty: there is no alert. */
  Optional<Alert> alert() {
    return Optional.ofNullable(alert);
  }

  /** Takes a reading; returns the alert if it begins to fire or is resolved. */
  Optional<Alert> after(RuleReading reading, Instant at) {
    return switch (reading.zone()) {
      case BEYOND -> beyond(reading, at);
      case BETWEEN -> {
        calmSince = null;
        between(reading);
        yield Optional.empty();
      }
      case CALM -> calm(reading, at);
    };
  }

  private Optional<Alert> beyond(RuleReading reading, Instant at) {
    calmSince = null;
    Alert seen = alert;
    if (seen == null || seen.state() == Alert.State.RESOLVED) {
      seen = made(reading, Alert.State.PENDING, at, at);
    }
    if (seen.state() == Alert.State.PENDING && passed(seen.since(), at, threshold.after())) {
      alert = made(reading, Alert.State.FIRING, seen.began(), at);
      return alert();
    }
    alert = made(reading, seen.state(), seen.began(), seen.since());
    return Optional.empty();
  }

  private void between(RuleReading reading) {
    Alert seen = alert;
    if (seen == null) {
      return;
    }
    switch (seen.state()) {
      case PENDING -> alert = null;
      case FIRING -> alert = made(reading, seen.state(), seen.began(), seen.since());
      case RESOLVED -> {}
    }
  }

  private Optional<Alert> calm(RuleReading reading, Instant at) {
    between(reading);
    Alert seen = alert;
    if (seen == null || seen.state() != Alert.State.FIRING) {
      return Optional.empty();
    }
    if (calmSince == null) {
      calmSince = at;
    }
    if (!passed(calmSince, at, threshold.clear())) {
      return Optional.empty();
    }
    calmSince = null;
    alert = made(reading, Alert.State.RESOLVED, seen.began(), at);
    return alert();
  }

  /** The reading of a subject that disappeared, although the rule was evaluated. */
  RuleReading gone(String subject) {
    Alert seen = alert;
    double limit = seen == null ? threshold.limit() : seen.limit();
    return new RuleReading(
        subject,
        0,
        limit,
        RuleReading.Zone.CALM,
        "nothing of it is seen any more; the limit is " + rule.unit().brief(limit));
  }

  private Alert made(RuleReading reading, Alert.State state, Instant began, Instant since) {
    return new Alert(
        rule,
        reading.subject(),
        state,
        began,
        since,
        reading.seen(),
        reading.limit(),
        reading.text());
  }

  private static boolean passed(Instant from, Instant to, Duration time) {
    return Duration.between(from, to).compareTo(time) >= 0;
  }
}
