package dev.semel.advice.internal;

import dev.semel.idempotency.ExecutionPolicy;
import dev.semel.idempotency.OperationSetting;
import dev.semel.internal.DurationText;
import java.time.Duration;

/**
 * How long an operation's records are kept, and where that value comes from.
 *
 * @param lease no retention can be shorter
 * @param source such as {@code as set}
 */
record EffectiveRetention(Duration retention, Duration lease, String source) {
  static EffectiveRetention of(UsageFigures.Rule rule) {
    ExecutionPolicy policy = rule.settings().over(ExecutionPolicy.defaults());
    if (rule.settings().values().containsKey(OperationSetting.RETENTION)) {
      return new EffectiveRetention(policy.retention(), policy.lease(), "as set");
    }
    return rule.seen().isPositive()
        ? new EffectiveRetention(rule.seen(), policy.lease(), "as records show")
        : new EffectiveRetention(policy.retention(), policy.lease(), "the default");
  }

  String text() {
    return "%s (%s)".formatted(DurationText.format(retention), source);
  }
}
