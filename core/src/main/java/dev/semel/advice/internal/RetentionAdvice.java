package dev.semel.advice.internal;

import dev.semel.Operation;
import dev.semel.advice.Advice;
import dev.semel.advice.AdviceCriteria;
import dev.semel.advice.AdviceTopic;
import dev.semel.idempotency.OperationSetting;
import dev.semel.idempotency.spi.ClaimRequest;
import dev.semel.idempotency.spi.DecisionCounter;
import dev.semel.idempotency.spi.DecisionCounts;
import dev.semel.idempotency.spi.DuplicateAge;
import dev.semel.internal.DurationText;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Advice about the retention, from the ages at which duplicates arrive. A duplicate that arrives
 * after the retention's end runs as a new request and is counted nowhere: the counts only show
 * those that came in time.
 */
final class RetentionAdvice {
  /** Fewer late duplicates than this may be chance. */
  static final long LEAST_LATE = 10;

  /** With this percentage just before the end, more arrive after it. */
  static final long LATE_PERCENT = 1;

  /** A change that saves less than a quarter is not worth the risk. */
  private static final double WORTH_IT = 0.75;

  private static final int LONGER = 2;

  private final AdviceCriteria demand;

  RetentionAdvice(AdviceCriteria demand) {
    this.demand = demand;
  }

  /** The smallest step within which enough of the duplicates arrive; empty: there were none. */
  static Optional<DuplicateAge> covering(DecisionCounts counts, AdviceCriteria demand) {
    long all = arrived(counts);
    long covered = 0;
    for (DuplicateAge age : DuplicateAge.values()) {
      covered += counts.get(age);
      if (covered > 0 && demand.metBy(covered, all)) {
        return Optional.of(age);
      }
    }
    return Optional.empty();
  }

  static long arrived(DecisionCounts counts) {
    return counts.ages().values().stream().mapToLong(Long::longValue).sum();
  }

  /** Duplicates in the step in which the retention ends, or later. */
  static long late(DecisionCounts counts, Duration retention) {
    DuplicateAge last = DuplicateAge.of(retention);
    return counts.ages().entrySet().stream()
        .filter(entry -> entry.getKey().compareTo(last) >= 0)
        .mapToLong(Map.Entry::getValue)
        .sum();
  }

  /** Whether so many arrive up to the end of this retention that more must arrive after it. */
  static boolean endsTooEarly(DecisionCounts counts, Duration retention) {
    long late = late(counts, retention);
    return late >= LEAST_LATE && late * 100 >= arrived(counts) * LATE_PERCENT;
  }

  /**
   * The first step from this one on that is not too short by our own measure: otherwise the next
   * advice would contradict this one.
   */
  private static Duration withRoom(DecisionCounts counts, DuplicateAge from, Duration least) {
    for (DuplicateAge age : DuplicateAge.values()) {
      Duration time = longest(age.atMost(), least);
      if (age.compareTo(from) >= 0 && !endsTooEarly(counts, time)) {
        return time;
      }
    }
    return ClaimRequest.MAX_RETENTION;
  }

  void judge(
      Operation operation,
      DecisionCounts counts,
      EffectiveRetention kept,
      UsageShares holdings,
      RecommendationsBuilder findings) {
    long arrived = arrived(counts);
    long late = late(counts, kept.retention());
    if (counts.get(DecisionCounter.OUTLIVED) > 0) {
      findings.add(outlived(operation, counts, kept, holdings));
    } else if (endsTooEarly(counts, kept.retention())) {
      findings.add(tooShort(operation, arrived, late, kept, holdings));
    } else if (arrived < demand.leastDuplicates()) {
      findings.withhold(
          operation,
          "%s so far; with fewer than %s nothing is said about the retention"
              .formatted(duplicates(arrived), number(demand.leastDuplicates())));
    } else {
      tooLong(operation, counts, kept, holdings).ifPresent(findings::add);
    }
  }

  private Optional<Advice> tooLong(
      Operation operation, DecisionCounts counts, EffectiveRetention kept, UsageShares holdings) {
    DuplicateAge step = covering(counts, demand).orElseThrow();
    Duration advised = withRoom(counts, step, longest(demand.leastRetention(), kept.lease()));
    if (advised.toMillis() > kept.retention().toMillis() * WORTH_IT) {
      return Optional.empty();
    }
    long later = late(counts, advised.plusMillis(1));
    String text = DurationText.format(advised);
    return Optional.of(
        new Advice(
            Optional.of(operation),
            AdviceTopic.RETENTION_TOO_LONG,
            "keep records for %s instead of %s"
                .formatted(text, DurationText.format(kept.retention())),
            "%s %% of %s arrived within %s of the first request; records are kept for %s."
                .formatted(
                    demand.percent().toPlainString(),
                    duplicates(arrived(counts)),
                    DurationText.format(step.atMost()),
                    kept.text()),
            Map.of(OperationSetting.RETENTION, text),
            "%s of them came after %s: such a duplicate would run again. If a sender promises to retry for longer, that counts more than what was counted."
                .formatted(number(later), text),
            holdings.saved(operation, kept.retention(), advised)));
  }

  private static Advice tooShort(
      Operation operation, long arrived, long late, EffectiveRetention kept, UsageShares holdings) {
    return longer(
        operation,
        AdviceTopic.RETENTION_TOO_SHORT,
        "%s of %s arrived only just before records are forgotten, after more than %s; they are kept for %s."
            .formatted(
                number(late),
                duplicates(arrived),
                DurationText.format(before(kept.retention())),
                kept.text()),
        kept,
        holdings);
  }

  private static Advice outlived(
      Operation operation, DecisionCounts counts, EffectiveRetention kept, UsageShares holdings) {
    return longer(
        operation,
        AdviceTopic.WORK_OUTLIVES_RECORD,
        "%s executions ended when their record was forgotten already; records are kept for %s."
            .formatted(number(counts.get(DecisionCounter.OUTLIVED)), kept.text()),
        kept,
        holdings);
  }

  private static Advice longer(
      Operation operation,
      AdviceTopic topic,
      String why,
      EffectiveRetention kept,
      UsageShares holdings) {
    Duration advised = next(kept.retention());
    boolean possible = advised.compareTo(kept.retention()) > 0;
    String text = DurationText.format(advised);
    return new Advice(
        Optional.of(operation),
        topic,
        possible ? "keep records for %s".formatted(text) : "records can't be kept for longer",
        why,
        possible ? Map.of(OperationSetting.RETENTION, text) : Map.of(),
        "Duplicates that come later run again, and nobody counts them.",
        holdings.saved(operation, kept.retention(), advised));
  }

  /** The next step that is at least twice as long, if there is one. */
  private static Duration next(Duration retention) {
    Duration twice = retention.multipliedBy(LONGER);
    if (twice.compareTo(ClaimRequest.MAX_RETENTION) >= 0) {
      return ClaimRequest.MAX_RETENTION;
    }
    DuplicateAge step = DuplicateAge.of(twice);
    return step == DuplicateAge.OLDER ? twice : step.atMost();
  }

  /** The beginning of the step in which this time ends. */
  private static Duration before(Duration time) {
    Duration before = Duration.ZERO;
    for (DuplicateAge age : DuplicateAge.values()) {
      if (age == DuplicateAge.of(time)) {
        return before;
      }
      before = age.atMost();
    }
    return before;
  }

  private static Duration longest(Duration... times) {
    return List.of(times).stream().max(Duration::compareTo).orElseThrow();
  }

  static String duplicates(long count) {
    return count == 1 ? "1 duplicate" : number(count) + " duplicates";
  }

  static String number(long value) {
    return String.format(Locale.ROOT, "%,d", value);
  }
}
