package dev.semel.advice.internal;

import static dev.semel.advice.internal.RetentionAdvice.number;

import dev.semel.Operation;
import dev.semel.Tenant;
import dev.semel.advice.Advice;
import dev.semel.advice.AdviceTopic;
import dev.semel.idempotency.ExecutionPolicy;
import dev.semel.idempotency.OperationSetting;
import dev.semel.idempotency.OperationSettings;
import dev.semel.idempotency.ProtectionMode;
import dev.semel.idempotency.spi.ClaimRequest;
import dev.semel.idempotency.spi.DecisionCounter;
import dev.semel.idempotency.spi.DecisionCounts;
import dev.semel.internal.DurationText;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Advice that follows from an operation's counts of the last day, except those of the retention.
 */
final class AdviceRules {
  /** With this many requests in a day and no duplicate, somebody should have retried. */
  static final long MANY_REQUESTS = 1000;

  /**
   * The least span that counts as a day: the newest minute is not over, and the oldest is leaving.
   */
  static final Duration A_DAY = Duration.ofHours(23);

  /** Fewer mismatches than this may be one caller's mistake. */
  static final long LEAST_MISMATCHES = 10;

  static final long MISMATCH_PERCENT = 1;

  static final long LEAST_IN_FLIGHT = 20;
  static final long IN_FLIGHT_PERCENT = 20;

  /** Long enough for most requests, and shorter than most callers' patience. */
  static final Duration WAIT = Duration.ofSeconds(5);

  /** A single lost holder may be a machine that was stopped. */
  static final long LEAST_LOST = 3;

  static final int LONGER_LEASE = 4;

  static final long LEAST_SENT = 100;
  static final long EAGER_PERCENT = 20;
  static final long EAGER_TIMES = 3;

  private final Duration span;

  AdviceRules(Duration span) {
    this.span = span;
  }

  void judge(
      Operation operation,
      DecisionCounts day,
      OperationSettings settings,
      RecommendationsBuilder findings) {
    keysDrawnAnew(operation, day).ifPresent(findings::add);
    keyTooNarrow(operation, day).ifPresent(findings::add);
    duplicatesCouldWait(operation, day, settings).ifPresent(findings::add);
    lostHolders(operation, day, settings).ifPresent(findings::add);
    onlyObserved(operation, day, settings).ifPresent(findings::add);
  }

  private Optional<Advice> keysDrawnAnew(Operation operation, DecisionCounts day) {
    if (span.compareTo(A_DAY) < 0
        || day.get(DecisionCounter.REQUESTS) < MANY_REQUESTS
        || day.get(DecisionCounter.DUPLICATES) > 0) {
      return Optional.empty();
    }
    return Optional.of(
        Advice.toDo(
            operation,
            AdviceTopic.KEYS_DRAWN_ANEW,
            "look where its keys come from",
            "%s requests in a day and not one duplicate."
                .formatted(number(day.get(DecisionCounter.REQUESTS))),
            "Keys may be drawn anew for each try, or nobody retries: let callers keep a key until they have an answer, or make it of the content."));
  }

  private static Optional<Advice> keyTooNarrow(Operation operation, DecisionCounts day) {
    long mismatches = day.get(DecisionCounter.MISMATCHES);
    if (mismatches < LEAST_MISMATCHES
        || 100 * mismatches < MISMATCH_PERCENT * day.get(DecisionCounter.REQUESTS)) {
      return Optional.empty();
    }
    return Optional.of(
        Advice.toDo(
            operation,
            AdviceTopic.KEY_TOO_NARROW,
            "let its key hold more of the request",
            "%s of %s requests came with a key that belongs to another request."
                .formatted(number(mismatches), number(day.get(DecisionCounter.REQUESTS))),
            "Callers use a key again, or it is made of too few fields: try another strategy beside it first (shadow=…)."));
  }

  private static Optional<Advice> duplicatesCouldWait(
      Operation operation, DecisionCounts day, OperationSettings settings) {
    long inFlight = day.get(DecisionCounter.IN_FLIGHT);
    long duplicates = day.get(DecisionCounter.DUPLICATES);
    if (inFlight < LEAST_IN_FLIGHT || 100 * inFlight < IN_FLIGHT_PERCENT * duplicates) {
      return Optional.empty();
    }
    String why =
        "%s of %s duplicates were refused because the first one still ran."
            .formatted(number(inFlight), number(duplicates));
    if (settings.over(ExecutionPolicy.defaults()).waitUpTo().compareTo(WAIT) >= 0) {
      return Optional.of(
          Advice.toDo(
              operation,
              AdviceTopic.DUPLICATES_COULD_WAIT,
              "its work takes longer than duplicates wait",
              why,
              "They wait for %s already: let callers wait longer before they try again."
                  .formatted(
                      DurationText.format(settings.over(ExecutionPolicy.defaults()).waitUpTo()))));
    }
    return Optional.of(
        new Advice(
            Optional.of(operation),
            AdviceTopic.DUPLICATES_COULD_WAIT,
            "let duplicates wait for the first one's result",
            why,
            Map.of(OperationSetting.WAIT, DurationText.format(WAIT)),
            "Each that waits holds its request open for so long.",
            0));
  }

  private static Optional<Advice> lostHolders(
      Operation operation, DecisionCounts day, OperationSettings settings) {
    long fenced = day.get(DecisionCounter.FENCED);
    long lost = day.get(DecisionCounter.TAKEOVERS) + day.get(DecisionCounter.IN_DOUBT);
    ExecutionPolicy policy = settings.over(ExecutionPolicy.defaults());
    String lease = DurationText.format(policy.lease());
    if (fenced >= LEAST_LOST) {
      Duration longer = policy.lease().multipliedBy(LONGER_LEASE);
      Duration limit = least(policy.retention(), ClaimRequest.MAX_LEASE);
      if (least(longer, limit).compareTo(policy.lease()) > 0) {
        return Optional.of(
            new Advice(
                Optional.of(operation),
                AdviceTopic.LEASE_TOO_SHORT,
                "hold keys for %s without renewal"
                    .formatted(DurationText.format(least(longer, limit))),
                "%s times a holder that was alive had lost its key; %s times someone took over or was left in doubt. The lease is %s."
                    .formatted(number(fenced), number(lost), lease),
                Map.of(OperationSetting.LEASE, DurationText.format(least(longer, limit))),
                "After a crash a key stays taken for so long. Look for pauses too: full collections, stopped machines.",
                0));
      }
    }
    if (lost < LEAST_LOST) {
      return Optional.empty();
    }
    return Optional.of(
        Advice.toDo(
            operation,
            AdviceTopic.HOLDERS_LOST,
            "find out why its holders end without a word",
            "%s executions took over from a holder that was not heard of again, %s requests were left in doubt. The lease is %s."
                .formatted(
                    number(day.get(DecisionCounter.TAKEOVERS)),
                    number(day.get(DecisionCounter.IN_DOUBT)),
                    lease),
            "Processes are killed, or stand still for longer than the lease."));
  }

  private static Duration least(Duration one, Duration other) {
    return one.compareTo(other) <= 0 ? one : other;
  }

  private static Optional<Advice> onlyObserved(
      Operation operation, DecisionCounts day, OperationSettings settings) {
    if (settings.mode() != ProtectionMode.OBSERVE || day.get(DecisionCounter.DUPLICATES) == 0) {
      return Optional.empty();
    }
    return Optional.of(
        new Advice(
            Optional.of(operation),
            AdviceTopic.ONLY_OBSERVED,
            "protect it",
            "%s of %s requests were duplicates, and ran, because the operation is only observed."
                .formatted(
                    number(day.get(DecisionCounter.DUPLICATES)),
                    number(day.get(DecisionCounter.REQUESTS))),
            Map.of(OperationSetting.MODE, "enforce"),
            "From then on duplicates get the first one's answer.",
            0));
  }

  /** Statistics distinguish senders only by tenant. */
  static void eagerSender(
      Operation operation, Map<Tenant, DecisionCounts> tenants, RecommendationsBuilder findings) {
    DecisionCounts all =
        tenants.values().stream().reduce(DecisionCounts.ZERO, DecisionCounts::plus);
    tenants.forEach(
        (tenant, own) -> {
          long others = all.get(DecisionCounter.REQUESTS) - own.get(DecisionCounter.REQUESTS);
          long theirs = all.get(DecisionCounter.DUPLICATES) - own.get(DecisionCounter.DUPLICATES);
          long sent = own.get(DecisionCounter.REQUESTS);
          long again = own.get(DecisionCounter.DUPLICATES);
          if (sent >= LEAST_SENT
              && others >= LEAST_SENT
              && 100 * again >= EAGER_PERCENT * sent
              && (double) again * others >= (double) EAGER_TIMES * theirs * sent) {
            findings.add(
                Advice.toDo(
                    operation,
                    AdviceTopic.EAGER_SENDER,
                    "ask the tenant %s about its retries".formatted(tenant),
                    "%s of the requests of the tenant %s are duplicates, %s of all others'."
                        .formatted(
                            percent(own.hitRate()), tenant, percent((double) theirs / others)),
                    "It may retry before it can have an answer, or send everything twice."));
          }
        });
  }

  private static String percent(double share) {
    return String.format(Locale.ROOT, "%.1f %%", 100 * share);
  }
}
