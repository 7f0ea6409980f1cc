package dev.semel.alert.internal;

import dev.semel.alert.AlertRule;
import dev.semel.alert.AlertSettings;
import dev.semel.alert.AlertThreshold;
import dev.semel.alert.AlertUnit;
import dev.semel.idempotency.spi.DecisionCounter;
import dev.semel.idempotency.spi.DecisionCounts;
import dev.semel.idempotency.spi.Store;
import dev.semel.inbox.spi.InboxOperations;
import dev.semel.internal.DurationText;
import dev.semel.outbox.spi.OutboxOperations;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToLongFunction;

/**
 * Evaluates all rules except the hit rate on one {@link AlertSample}. A rule without an entry could
 * not be evaluated; a subject without a reading is calm.
 */
final class RuleEvaluator {
  /** The period over which the share of failures is computed. */
  static final Duration WINDOW = Duration.ofMinutes(5);

  /** How long a single event is reported. */
  static final Duration REMEMBERED = Duration.ofMinutes(15);

  /** With fewer checks than this a share neither begins nor ends an alert. */
  static final int MIN_CHECKS = 20;

  private static final String OUTBOX = "outbox";
  private static final String INBOX = "inbox/";
  private static final String JOBS = "jobs/";

  private final AlertSample measures;
  private final AlertSettings settings;
  private final Map<AlertRule, List<RuleReading>> readings = new EnumMap<>(AlertRule.class);

  private RuleEvaluator(AlertSample measures, AlertSettings settings) {
    this.measures = measures;
    this.settings = settings;
  }

  static Map<AlertRule, List<RuleReading>> read(AlertSample measures, AlertSettings settings) {
    RuleEvaluator rules = new RuleEvaluator(measures, settings);
    rules.away();
    measures.store().ifPresent(rules::store);
    measures.outbox().ifPresent(rules::outbox);
    rules.inDoubt();
    rules.deadLetters();
    rules.disks();
    return rules.readings;
  }

  /**
   * Whether this subject would have a reading if it were not calm. Two rules read several parts,
   * some of which may be away: their alerts neither begin nor end meanwhile.
   */
  static boolean canSay(AlertRule rule, String subject, AlertSample measures) {
    if (rule != AlertRule.IN_DOUBT && rule != AlertRule.DEAD_LETTERS) {
      return true;
    }
    if (rule == AlertRule.DEAD_LETTERS
        && subject.equals(OUTBOX)) { // else it is an operation's name
      return measures.outbox().isPresent();
    }
    if (subject.startsWith(INBOX)) {
      return measures.inbox().isPresent();
    }
    return subject.startsWith(JOBS) ? measures.jobs().isPresent() : measures.store().isPresent();
  }

  private void away() {
    one(
        AlertRule.STORE_AWAY,
        AlertUnit.seconds(measures.away()),
        "the store could not be read for %s; the limit is %s");
  }

  private void store(AlertSample.OfStore store) {
    Map<String, DecisionCounts> window = MinuteWindows.within(store.minutes(), store.now(), WINDOW);
    readings.put(
        AlertRule.ERROR_RATE,
        window.entrySet().stream().map(e -> errors(e.getKey(), e.getValue())).toList());
    Map<String, DecisionCounts> remembered =
        MinuteWindows.within(store.minutes(), store.now(), REMEMBERED);
    happened(
        AlertRule.FENCED,
        remembered,
        DecisionCounter.FENCED,
        "%s steps of workers of %s that had lost their key were refused in the last %s; the limit is %s");
    happened(
        AlertRule.RAN_TWICE,
        remembered,
        DecisionCounter.RAN_TWICE,
        "%s executions of %s turned out to have run twice in the last %s; the limit is %s");
    happened(
        AlertRule.OUTLIVED,
        remembered,
        DecisionCounter.OUTLIVED,
        "%s executions of %s ended after their record was gone in the last %s; the limit is %s");
    happened(
        AlertRule.COLLIDED,
        remembered,
        DecisionCounter.COLLISIONS,
        "%s requests of %s had the short hash of another request in the last %s; the limit is %s");
    readings.put(AlertRule.MEMORY, store.room().map(this::memory).stream().toList());
    one(
        AlertRule.EXPIRY_BACKLOG,
        store.ended(),
        store.ended() >= AlertSampler.MAX_ENDED
            ? "more than %s records are still there although their retention has ended; the limit is %s"
            : "%s records are still there although their retention has ended; the limit is %s");
    one(
        AlertRule.EVENTS_LOST,
        (double) store.log().lost(),
        "%s events out of the ordinary were left out of the event log in the last "
            + DurationText.format(WINDOW)
            + "; the limit is %s");
    skew(store.log().skews());
  }

  /** A failed check is not counted as a request, so failures are added to the requests. */
  private RuleReading errors(String operation, DecisionCounts counts) {
    long failed = counts.get(DecisionCounter.STORE_ERRORS);
    long all = counts.get(DecisionCounter.REQUESTS) + failed;
    double rate = all == 0 ? 0 : 100.0 * failed / all;
    boolean few = all < MIN_CHECKS && failed > 0;
    return reading(
        AlertRule.ERROR_RATE,
        operation,
        rate,
        few ? RuleReading.Zone.BETWEEN : RuleReading.zone(settings.of(AlertRule.ERROR_RATE), rate),
        "%s of the checks of %s failed in the last %s; the limit is %s"
            .formatted(
                AlertUnit.PERCENT.brief(rate),
                operation,
                DurationText.format(WINDOW),
                AlertUnit.PERCENT.brief(settings.of(AlertRule.ERROR_RATE).limit())));
  }

  private void happened(
      AlertRule rule,
      Map<String, DecisionCounts> operations,
      DecisionCounter counter,
      String sentence) {
    List<RuleReading> found = new ArrayList<>();
    operations.forEach(
        (operation, counts) -> {
          if (counts.get(counter) > 0) {
            found.add(count(rule, operation, (double) counts.get(counter), sentence));
          }
        });
    readings.put(rule, found);
  }

  private RuleReading count(AlertRule rule, String operation, double seen, String sentence) {
    return reading(
        rule,
        operation,
        seen,
        RuleReading.zone(settings.of(rule), seen),
        sentence.formatted(
            AlertUnit.COUNT.brief(seen),
            operation,
            DurationText.format(REMEMBERED),
            AlertUnit.COUNT.brief(settings.of(rule).limit())));
  }

  private RuleReading memory(Store.Room room) {
    return simple(
        AlertRule.MEMORY,
        "",
        100 * room.share(),
        "%s of the room that the store may take is taken; the limit is %s");
  }

  /** Without disks of this machine there is no reading. */
  private void disks() {
    List<RuleReading> found = new ArrayList<>();
    measures
        .disks()
        .forEach(
            (name, room) ->
                found.add(
                    simple(
                        AlertRule.DISK,
                        name,
                        100 * room.share(),
                        "%%s of the disk of %s is taken; the limit is %%s"
                            .formatted(escaped(name)))));
    if (!found.isEmpty()) {
      readings.put(AlertRule.DISK, found);
    }
  }

  /** The process with the largest skew stands for all, because the remedy is the same. */
  private void skew(Map<String, Duration> skews) {
    Duration most =
        skews.values().stream().map(Duration::abs).max(Duration::compareTo).orElse(Duration.ZERO);
    one(
        AlertRule.CLOCK_SKEW,
        AlertUnit.seconds(most),
        "the clock of a process is %s from the store's; the limit is %s");
  }

  private void outbox(OutboxOperations.Status status) {
    SubjectCounts lags = new SubjectCounts();
    for (OutboxOperations.DestinationStatus each : status.destinations()) {
      lags.most(each.destination(), each.oldest().map(AlertUnit::seconds).orElse(0.0));
    }
    if (status.destinations().isEmpty()) {
      lags.most("", status.oldest().map(AlertUnit::seconds).orElse(0.0));
    }
    List<RuleReading> found = new ArrayList<>();
    lags.forEach(
        (destination, lag) ->
            found.add(
                simple(
                    AlertRule.OUTBOX_LAG,
                    destination,
                    lag,
                    "the oldest message of the outbox%s has waited for %%s; the limit is %%s"
                        .formatted(destination.isEmpty() ? "" : " for " + escaped(destination)))));
    readings.put(AlertRule.OUTBOX_LAG, found);
  }

  private void inDoubt() {
    if (measures.store().isEmpty() && measures.inbox().isEmpty() && measures.jobs().isEmpty()) {
      return;
    }
    SubjectCounts doubts = new SubjectCounts();
    measures
        .store()
        .ifPresent(
            store ->
                MinuteWindows.within(store.minutes(), store.now(), REMEMBERED)
                    .forEach(
                        (name, counts) ->
                            doubts.add(name, (double) counts.get(DecisionCounter.IN_DOUBT))));
    inbox(doubts, InboxOperations.ConsumerStatus::inDoubt);
    measures
        .jobs()
        .ifPresent(
            jobs ->
                jobs.forEach((queue, c) -> doubts.add(JOBS + queue.name(), (double) c.inDoubt())));
    numbers(AlertRule.IN_DOUBT, doubts, "whether %s of %s took effect is unknown; the limit is %s");
  }

  private void deadLetters() {
    if (measures.outbox().isEmpty() && measures.inbox().isEmpty() && measures.jobs().isEmpty()) {
      return;
    }
    SubjectCounts dead = new SubjectCounts();
    measures.outbox().ifPresent(outbox -> dead.add(OUTBOX, (double) outbox.dead()));
    inbox(dead, InboxOperations.ConsumerStatus::dead);
    measures
        .jobs()
        .ifPresent(
            jobs -> jobs.forEach((queue, c) -> dead.add(JOBS + queue.name(), (double) c.failed())));
    numbers(AlertRule.DEAD_LETTERS, dead, "%s dead letters wait in %s; the limit is %s");
  }

  private void inbox(SubjectCounts to, ToLongFunction<InboxOperations.ConsumerStatus> value) {
    Optional<InboxOperations.Status> status = measures.inbox();
    status.ifPresent(
        inbox ->
            inbox
                .consumers()
                .forEach(c -> to.add(INBOX + c.consumer(), (double) value.applyAsLong(c))));
  }

  private void numbers(AlertRule rule, SubjectCounts subjects, String sentence) {
    List<RuleReading> found = new ArrayList<>();
    subjects.forEach(
        (subject, seen) -> {
          if (seen > 0) {
            found.add(
                reading(
                    rule,
                    subject,
                    seen,
                    RuleReading.zone(settings.of(rule), seen),
                    sentence.formatted(
                        AlertUnit.COUNT.brief(seen),
                        subject,
                        AlertUnit.COUNT.brief(settings.of(rule).limit()))));
          }
        });
    readings.put(rule, found);
  }

  private void one(AlertRule rule, double seen, String sentence) {
    readings.put(rule, List.of(simple(rule, "", seen, sentence)));
  }

  private RuleReading simple(AlertRule rule, String subject, double seen, String sentence) {
    AlertThreshold threshold = settings.of(rule);
    return reading(
        rule,
        subject,
        seen,
        RuleReading.zone(threshold, seen),
        sentence.formatted(rule.unit().brief(seen), rule.unit().brief(threshold.limit())));
  }

  private RuleReading reading(
      AlertRule rule, String subject, double seen, RuleReading.Zone zone, String text) {
    return new RuleReading(subject, seen, settings.of(rule).limit(), zone, text);
  }

  private static String escaped(String text) {
    return text.replace("%", "%%");
  }
}
