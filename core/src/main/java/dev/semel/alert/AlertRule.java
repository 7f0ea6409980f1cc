package dev.semel.alert;

import dev.semel.InvalidInput;
import dev.semel.idempotency.internal.HitRateBaseline;
import dev.semel.internal.PrintableText;
import java.time.Duration;
import java.util.Arrays;
import java.util.stream.Collectors;

/** The rules of alerts. The limits here are defaults; see {@link AlertSettings}. */
public enum AlertRule {
  ERROR_RATE(
      AlertSeverity.CRITICAL,
      AlertUnit.PERCENT,
      5,
      4,
      Duration.ofMinutes(1),
      Duration.ofMinutes(5),
      "see whether the store is slow, full or away (semel doctor), and what the events of kind"
          + " store-failed say"),
  MEMORY(
      AlertSeverity.CRITICAL,
      AlertUnit.PERCENT,
      80,
      75,
      Duration.ofMinutes(1),
      Duration.ofMinutes(5),
      "shorten retentions (semel stats shows at which age duplicates arrive), clean up, or give the"
          + " store more room: one that is full refuses every claim"),
  DISK(
      AlertSeverity.CRITICAL,
      AlertUnit.PERCENT,
      90,
      85,
      Duration.ofMinutes(1),
      Duration.ofMinutes(5),
      "make room on the disk, or keep less of streams (--retain-age, --retain-bytes): one that is"
          + " full takes nothing in any more"),
  HIT_RATE(
      AlertSeverity.WARNING,
      AlertUnit.PERCENT,
      HitRateBaseline.LEAST,
      HitRateBaseline.LEAST,
      Duration.ZERO,
      Duration.ofMinutes(5),
      "many: find the sender that repeats itself; few: see whether keys are drawn anew for each"
          + " try, or a deployment changed how they are made"),
  EXPIRY_BACKLOG(
      AlertSeverity.WARNING,
      AlertUnit.COUNT,
      1000,
      800,
      Duration.ofMinutes(5),
      Duration.ofMinutes(1),
      "run semel cleanup, and let it run regularly"),
  OUTBOX_LAG(
      AlertSeverity.CRITICAL,
      AlertUnit.SECONDS,
      300,
      240,
      Duration.ZERO,
      Duration.ofMinutes(1),
      "see that a relay runs and reaches the broker: semel outbox status, then semel outbox list"),
  CLOCK_SKEW(
      AlertSeverity.WARNING,
      AlertUnit.SECONDS,
      2,
      1,
      Duration.ofMinutes(1),
      Duration.ofMinutes(5),
      "let all machines follow the same time server: nothing is decided by these clocks, but people"
          + " compare their times"),
  FENCED(
      AlertSeverity.WARNING,
      AlertUnit.COUNT,
      0,
      0,
      Duration.ZERO,
      Duration.ofMinutes(1),
      "workers lost their keys while they worked: look for long pauses and slow stores, lengthen"
          + " the lease, and see what the work did outside"),
  IN_DOUBT(
      AlertSeverity.CRITICAL,
      AlertUnit.COUNT,
      0,
      0,
      Duration.ZERO,
      Duration.ofMinutes(1),
      "find out whether the work took effect, then release or delete the key (semel keys), retry"
          + " the job, or forget the message"),
  RAN_TWICE(
      AlertSeverity.CRITICAL,
      AlertUnit.COUNT,
      0,
      0,
      Duration.ZERO,
      Duration.ofMinutes(1),
      "semel audit list --kind reconciled names the keys; undo what was done twice"),
  OUTLIVED(
      AlertSeverity.CRITICAL,
      AlertUnit.COUNT,
      0,
      0,
      Duration.ZERO,
      Duration.ofMinutes(1),
      "semel audit list --kind outlived names the keys; see whether a duplicate ran after the record"
          + " was gone, and lengthen max-hold or the retention, or work in shorter steps"),
  COLLIDED(
      AlertSeverity.WARNING,
      AlertUnit.COUNT,
      0,
      0,
      Duration.ZERO,
      Duration.ofMinutes(1),
      "nothing was lost: the second request got a key of its own. Use more digits for the short"
          + " hash, or the whole one (content-hash); semel audit list --kind collided names the keys"),
  DEAD_LETTERS(
      AlertSeverity.WARNING,
      AlertUnit.COUNT,
      0,
      0,
      Duration.ZERO,
      Duration.ofMinutes(1),
      "see why (semel outbox list --state dead, semel inbox list, semel jobs dead), mend that, and"
          + " retry or purge them"),
  STORE_AWAY(
      AlertSeverity.CRITICAL,
      AlertUnit.SECONDS,
      30,
      0,
      Duration.ZERO,
      Duration.ofSeconds(30),
      "see that the store runs and can be reached from here; executions are refused, or run"
          + " unguarded, by each operation's on-outage"),
  EVENTS_LOST(
      AlertSeverity.WARNING,
      AlertUnit.COUNT,
      0,
      0,
      Duration.ZERO,
      Duration.ofMinutes(5),
      "something out of the ordinary happens more than 500 times a second, or the store was away"
          + " for long: the counts in semel stats are still right");

  private final AlertSeverity severity;
  private final AlertUnit unit;
  private final double limit;
  private final double calm;
  private final Duration after;
  private final Duration clear;
  private final String advice;

  AlertRule(
      AlertSeverity severity,
      AlertUnit unit,
      double limit,
      double calm,
      Duration after,
      Duration clear,
      String advice) {
    this.severity = severity;
    this.unit = unit;
    this.limit = limit;
    this.calm = calm;
    this.after = after;
    this.clear = clear;
    this.advice = advice;
  }

  /** The rule's name as people write it: {@code outbox-lag}. */
  public String word() {
    return PrintableText.word(this);
  }

  public AlertSeverity severity() {
    return severity;
  }

  public AlertUnit unit() {
    return unit;
  }

  AlertThreshold threshold() {
    return new AlertThreshold(true, limit, calm, after, clear);
  }

  /** What to do, in one sentence. */
  public String advice() {
    return advice;
  }

  /** The path of the runbook, from the project's root. */
  public String runbook() {
    return "docs/runbooks/" + word() + ".md";
  }

  static AlertRule parse(String word) {
    return Arrays.stream(values())
        .filter(rule -> rule.word().equals(word))
        .findFirst()
        .orElseThrow(
            () ->
                new InvalidInput(
                    "there is no alert %s; there are %s"
                        .formatted(
                            PrintableText.quoted(word),
                            Arrays.stream(values())
                                .map(AlertRule::word)
                                .collect(Collectors.joining(", ")))));
  }
}
