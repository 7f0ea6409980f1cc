package dev.semel.alert;

import dev.semel.DurationText;
import dev.semel.idempotency.Counter;
import dev.semel.idempotency.Counts;
import dev.semel.idempotency.Store;
import dev.semel.inbox.InboxOperations;
import dev.semel.outbox.OutboxOperations;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToLongFunction;

/**
 * What all rules but that of the hit rate say of one {@link Measures}. A rule without an entry
 * could not be looked at; a subject without a reading is calm.
 */
final class Rules {
  /** Over so long the share of failures is taken. */
  static final Duration WINDOW = Duration.ofMinutes(5);

  /** What happened once is told for so long. */
  static final Duration REMEMBERED = Duration.ofMinutes(15);

  /** With fewer checks than this a share neither begins an alert nor ends one. */
  static final int MIN_CHECKS = 20;

  private static final String OUTBOX = "outbox";
  private static final String INBOX = "inbox/";
  private static final String JOBS = "jobs/";

  private final Measures measures;
  private final AlertSettings settings;
  private final Map<Rule, List<Reading>> readings = new EnumMap<>(Rule.class);

  private Rules(Measures measures, AlertSettings settings) {
    this.measures = measures;
    this.settings = settings;
  }

  static Map<Rule, List<Reading>> read(Measures measures, AlertSettings settings) {
    Rules rules = new Rules(measures, settings);
    rules.away();
    measures.store().ifPresent(rules::store);
    measures.outbox().ifPresent(rules::outbox);
    rules.inDoubt();
    rules.deadLetters();
    rules.disks();
    return rules.readings;
  }

  /**
   * Whether this subject would have a reading if it were not calm. Two rules look into several
   * places, of which some may be away: what they have there neither begins nor ends meanwhile.
   */
  static boolean canSay(Rule rule, String subject, Measures measures) {
    if (rule != Rule.IN_DOUBT && rule != Rule.DEAD_LETTERS) {
      return true;
    }
    if (rule == Rule.DEAD_LETTERS && subject.equals(OUTBOX)) { // else it is an operation's name
      return measures.outbox().isPresent();
    }
    if (subject.startsWith(INBOX)) {
      return measures.inbox().isPresent();
    }
    return subject.startsWith(JOBS) ? measures.jobs().isPresent() : measures.store().isPresent();
  }

  private void away() {
    one(
        Rule.STORE_AWAY,
        Unit.seconds(measures.away()),
        "the store could not be read for %s; the limit is %s");
  }

  private void store(Measures.OfStore store) {
    Map<String, Counts> window = Windows.within(store.minutes(), store.now(), WINDOW);
    readings.put(
        Rule.ERROR_RATE,
        window.entrySet().stream().map(e -> errors(e.getKey(), e.getValue())).toList());
    Map<String, Counts> remembered = Windows.within(store.minutes(), store.now(), REMEMBERED);
    happened(
        Rule.FENCED,
        remembered,
        Counter.FENCED,
        "%s steps of workers of %s that had lost their key were refused in the last %s; the limit is %s");
    happened(
        Rule.RAN_TWICE,
        remembered,
        Counter.RAN_TWICE,
        "%s executions of %s turned out to have run twice in the last %s; the limit is %s");
    happened(
        Rule.OUTLIVED,
        remembered,
        Counter.OUTLIVED,
        "%s executions of %s ended after their record was gone in the last %s; the limit is %s");
    happened(
        Rule.COLLIDED,
        remembered,
        Counter.COLLISIONS,
        "%s requests of %s had the short hash of another request in the last %s; the limit is %s");
    readings.put(Rule.MEMORY, store.room().map(this::memory).stream().toList());
    one(
        Rule.EXPIRY_BACKLOG,
        store.ended(),
        store.ended() >= Sampler.MAX_ENDED
            ? "more than %s records are still there although their retention has ended; the limit is %s"
            : "%s records are still there although their retention has ended; the limit is %s");
    one(
        Rule.EVENTS_LOST,
        (double) store.log().lost(),
        "%s events out of the ordinary were left out of the event log in the last "
            + DurationText.format(WINDOW)
            + "; the limit is %s");
    skew(store.log().skews());
  }

  /** A check that failed was no request yet, so that failures count beside those. */
  private Reading errors(String operation, Counts counts) {
    long failed = counts.get(Counter.STORE_ERRORS);
    long all = counts.get(Counter.REQUESTS) + failed;
    double rate = all == 0 ? 0 : 100.0 * failed / all;
    boolean few = all < MIN_CHECKS && failed > 0;
    return reading(
        Rule.ERROR_RATE,
        operation,
        rate,
        few ? Reading.Zone.BETWEEN : Reading.zone(settings.of(Rule.ERROR_RATE), rate),
        "%s of the checks of %s failed in the last %s; the limit is %s"
            .formatted(
                Unit.PERCENT.brief(rate),
                operation,
                DurationText.format(WINDOW),
                Unit.PERCENT.brief(settings.of(Rule.ERROR_RATE).limit())));
  }

  private void happened(
      Rule rule, Map<String, Counts> operations, Counter counter, String sentence) {
    List<Reading> found = new ArrayList<>();
    operations.forEach(
        (operation, counts) -> {
          if (counts.get(counter) > 0) {
            found.add(count(rule, operation, (double) counts.get(counter), sentence));
          }
        });
    readings.put(rule, found);
  }

  private Reading count(Rule rule, String operation, double seen, String sentence) {
    return reading(
        rule,
        operation,
        seen,
        Reading.zone(settings.of(rule), seen),
        sentence.formatted(
            Unit.COUNT.brief(seen),
            operation,
            DurationText.format(REMEMBERED),
            Unit.COUNT.brief(settings.of(rule).limit())));
  }

  private Reading memory(Store.Room room) {
    return simple(
        Rule.MEMORY,
        "",
        100 * room.share(),
        "%s of the room that the store may take is taken; the limit is %s");
  }

  /** Where none is of this machine, nobody here can say. */
  private void disks() {
    List<Reading> found = new ArrayList<>();
    measures
        .disks()
        .forEach(
            (name, room) ->
                found.add(
                    simple(
                        Rule.DISK,
                        name,
                        100 * room.share(),
                        "%%s of the disk of %s is taken; the limit is %%s"
                            .formatted(escaped(name)))));
    if (!found.isEmpty()) {
      readings.put(Rule.DISK, found);
    }
  }

  /** The one that is furthest off stands for all: what has to be done is the same. */
  private void skew(Map<String, Duration> skews) {
    Duration most =
        skews.values().stream().map(Duration::abs).max(Duration::compareTo).orElse(Duration.ZERO);
    one(
        Rule.CLOCK_SKEW,
        Unit.seconds(most),
        "the clock of a process is %s from the store's; the limit is %s");
  }

  private void outbox(OutboxOperations.Status status) {
    Subjects lags = new Subjects();
    for (OutboxOperations.DestinationStatus each : status.destinations()) {
      lags.most(each.destination(), each.oldest().map(Unit::seconds).orElse(0.0));
    }
    if (status.destinations().isEmpty()) {
      lags.most("", status.oldest().map(Unit::seconds).orElse(0.0));
    }
    List<Reading> found = new ArrayList<>();
    lags.forEach(
        (destination, lag) ->
            found.add(
                simple(
                    Rule.OUTBOX_LAG,
                    destination,
                    lag,
                    "the oldest message of the outbox%s has waited for %%s; the limit is %%s"
                        .formatted(destination.isEmpty() ? "" : " for " + escaped(destination)))));
    readings.put(Rule.OUTBOX_LAG, found);
  }

  private void inDoubt() {
    if (measures.store().isEmpty() && measures.inbox().isEmpty() && measures.jobs().isEmpty()) {
      return;
    }
    Subjects doubts = new Subjects();
    measures
        .store()
        .ifPresent(
            store ->
                Windows.within(store.minutes(), store.now(), REMEMBERED)
                    .forEach(
                        (name, counts) -> doubts.add(name, (double) counts.get(Counter.IN_DOUBT))));
    inbox(doubts, InboxOperations.ConsumerStatus::inDoubt);
    measures
        .jobs()
        .ifPresent(
            jobs ->
                jobs.forEach((queue, c) -> doubts.add(JOBS + queue.name(), (double) c.inDoubt())));
    numbers(Rule.IN_DOUBT, doubts, "whether %s of %s took effect is unknown; the limit is %s");
  }

  private void deadLetters() {
    if (measures.outbox().isEmpty() && measures.inbox().isEmpty() && measures.jobs().isEmpty()) {
      return;
    }
    Subjects dead = new Subjects();
    measures.outbox().ifPresent(outbox -> dead.add(OUTBOX, (double) outbox.dead()));
    inbox(dead, InboxOperations.ConsumerStatus::dead);
    measures
        .jobs()
        .ifPresent(
            jobs -> jobs.forEach((queue, c) -> dead.add(JOBS + queue.name(), (double) c.failed())));
    numbers(Rule.DEAD_LETTERS, dead, "%s dead letters wait in %s; the limit is %s");
  }

  private void inbox(Subjects to, ToLongFunction<InboxOperations.ConsumerStatus> value) {
    Optional<InboxOperations.Status> status = measures.inbox();
    status.ifPresent(
        inbox ->
            inbox
                .consumers()
                .forEach(c -> to.add(INBOX + c.consumer(), (double) value.applyAsLong(c))));
  }

  private void numbers(Rule rule, Subjects subjects, String sentence) {
    List<Reading> found = new ArrayList<>();
    subjects.forEach(
        (subject, seen) -> {
          if (seen > 0) {
            found.add(
                reading(
                    rule,
                    subject,
                    seen,
                    Reading.zone(settings.of(rule), seen),
                    sentence.formatted(
                        Unit.COUNT.brief(seen),
                        subject,
                        Unit.COUNT.brief(settings.of(rule).limit()))));
          }
        });
    readings.put(rule, found);
  }

  private void one(Rule rule, double seen, String sentence) {
    readings.put(rule, List.of(simple(rule, "", seen, sentence)));
  }

  private Reading simple(Rule rule, String subject, double seen, String sentence) {
    Threshold threshold = settings.of(rule);
    return reading(
        rule,
        subject,
        seen,
        Reading.zone(threshold, seen),
        sentence.formatted(rule.unit().brief(seen), rule.unit().brief(threshold.limit())));
  }

  private Reading reading(Rule rule, String subject, double seen, Reading.Zone zone, String text) {
    return new Reading(subject, seen, settings.of(rule).limit(), zone, text);
  }

  private static String escaped(String text) {
    return text.replace("%", "%%");
  }
}
