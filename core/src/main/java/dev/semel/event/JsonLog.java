package dev.semel.event;

import dev.semel.FirstExecution;
import dev.semel.Key;
import dev.semel.event.internal.EventLines;
import dev.semel.internal.ClaimingProcess;
import dev.semel.internal.DurationText;
import dev.semel.internal.PrintableText;
import dev.semel.json.Json;
import dev.semel.json.JsonObjectBuilder;
import java.io.IOException;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A listener that writes each event as one line of JSON. Lines stay whole when many threads report
 * at once; the output decides when to flush. A line that can't be written is counted and dropped: a
 * failing log must not disturb the work.
 */
public final class JsonLog implements SemelListener {
  /** Longest text taken from an exception, in characters. */
  public static final int MAX_MESSAGE_LENGTH = 1000;

  private static final String DUPLICATE = "duplicate job blocked";

  private final Appendable out;
  private final InstantSource clock;
  private final AtomicLong lost = new AtomicLong();
  private boolean torn;

  /**
   * Writes to this output.
   *
   * @param out such as a {@code PrintStream} or {@code Writer}; other writers may share it if they
   *     write whole lines too
   */
  public JsonLog(Appendable out, InstantSource clock) {
    this.out = out;
    this.clock = clock;
  }

  @Override
  public void on(Event event) {
    try {
      append(line(event).write() + "\n");
    } catch (IOException | RuntimeException e) {
      lost.incrementAndGet();
    }
  }

  /** How many lines could not be written. */
  public long lost() {
    return lost.get();
  }

  private synchronized void append(String line) throws IOException {
    // Part of the last line may have been written; start a new line so that this one is not glued
    // to it.
    String whole = torn ? "\n" + line : line;
    torn = true;
    out.append(whole);
    torn = false;
  }

  private JsonObjectBuilder line(Event event) {
    return switch (event) {
      case Event.Claimed e -> info("job claimed", e).with("attempt", e.attempt());
      case Event.TakenOver e -> warn("job taken over", e).with("attempt", e.attempt());
      case Event.Completed e ->
          info("job completed", e)
              .with("attempt", e.attempt())
              .with("took", DurationText.brief(e.took()))
              .with("response_bytes", e.responseBytes());
      case Event.FailureStored e ->
          info("job failed for good", e)
              .with("attempt", e.attempt())
              .with("failure", shown(e.kind()));
      case Event.Released e ->
          info("job failed, may be retried", e)
              .with("attempt", e.attempt())
              .with("failure", shown(e.kind()))
              .withUnlessEmpty("error", shown(e.message()));
      case Event.Replayed e -> met(info(DUPLICATE, e), e.original()).with("reason", "already done");
      case Event.InFlight e ->
          met(info(DUPLICATE, e), e.original())
              .with("reason", "in flight")
              .with("lease_remaining", DurationText.brief(e.leaseLeft()));
      case Event.Mismatched e -> met(warn("key used by another request", e), e.original());
      case Event.InDoubt e -> met(warn("job in doubt", e), e.original());
      case Event.Fenced e ->
          warn("job fenced", e).with("attempt", e.attempt()).with("step", shown(e.step()));
      case Event.Unrecorded e -> warn("job done but not recorded", e).with("attempt", e.attempt());
      case Event.Collided e -> warn("key collision", e).with("moved_to", e.movedTo().text());
      case Event.StoreFailed e ->
          warn("store failed", e).with("step", shown(e.step())).with("error", shown(e.message()));
      case Event.Outlived e -> warn("job outlived its record", e).with("attempt", e.attempt());
      case Event.Unguarded e ->
          warn("job ran unguarded", e).with("reason", PrintableText.word(e.reason()));
      case Event.Reconciled e ->
          (e.verdict() == Event.Reconciled.Verdict.RECORDED
                  ? info("job reconciled", e)
                  : warn("job reconciled", e))
              .with("verdict", PrintableText.word(e.verdict()));
      case Event.StrategiesDiffer e ->
          info("key strategies differ", e)
              .with("difference", PrintableText.word(e.difference()))
              .with("shadow_id", shown(e.shadowId()));
      case Event.JobRetried e ->
          warn("job failed, will be retried", e)
              .with("attempt", e.attempt())
              .with("pause", DurationText.brief(e.pause()))
              .with("error", shown(e.reason()));
      case Event.JobBuried e ->
          warn("job is a dead letter", e)
              .with("attempt", e.attempt())
              .with("why", PrintableText.word(e.grave()))
              .with("error", shown(e.reason()));
      case Event.JobLost e -> warn("job lost its worker", e);
      case Event.CircuitChanged e ->
          of(start("warn", e.open() ? "queue rests" : "queue works again"), e)
              .withUnlessEmpty("error", shown(e.reason()));
      case Event.DuplicateStorm e ->
          of(
                  e.over()
                      ? start("info", "duplicate rate back to normal")
                      : start("warn", "high duplicate rate detected"),
                  e)
              .with("hit_rate", EventLines.percent(e.hitRate()))
              .with("threshold", EventLines.percent(e.threshold()))
              .withUnlessEmpty("suggestion", e.suggestion());
      case Event.Published e ->
          told("info", "message published", e).with("duplicate", e.duplicate());
      case Event.Rebuilt e -> told("warn", "message was missing in the outbox", e);
      case Event.PublishRefused e ->
          told("warn", "message refused", e)
              .with("attempt", e.attempt())
              .with("error", shown(e.reason()));
      case Event.Consumed e -> told("info", "message consumed", e);
      case Event.Redelivered e -> told("info", "duplicate message dropped", e);
      case Event.HandlerFailed e ->
          told("warn", "message handler failed", e).with("error", shown(e.reason()));
      case Event.DeadLettered e ->
          told("warn", "message is a dead letter", e).with("error", shown(e.reason()));
      case Event.LoopFailed e ->
          start("warn", "background loop failed")
              .with("loop", shown(e.loop()))
              .with("count", e.count())
              .with("error", shown(e.reason()));
      case Event.CallersCut e ->
          start("warn", "slow callers cut")
              .with("callers", e.callers())
              .with("held_bytes", e.heldBytes())
              .with("limit_bytes", e.limitBytes());
      case Event.ClockSkewed e ->
          start("warn", "clock skew").with("ahead", DurationText.format(e.ahead()));
      case Event.Changed e ->
          start("info", "changed by an operator")
              .with("actor", shown(e.actor()))
              .with("action", shown(e.action()))
              .with("target", shown(e.target()));
      case Event.Skipped e ->
          start("warn", "events left out").with("count", e.count()).with("notable", e.notable());
      case Event.AlertChanged e ->
          (e.firing() ? start("warn", "alert firing") : start("info", "alert resolved"))
              .with("alert", shown(e.rule()))
              .withUnlessEmpty("subject", shown(e.subject()))
              .with("severity", shown(e.severity()))
              .with("seen", EventLines.rounded(e.seen()))
              .with("threshold", EventLines.rounded(e.limit()))
              .with("text", shown(e.text()))
              .withUnlessEmpty("suggestion", shown(e.advice()));
    };
  }

  private JsonObjectBuilder info(String message, Event.Keyed event) {
    return about(start("info", message), event);
  }

  private JsonObjectBuilder warn(String message, Event.Keyed event) {
    return about(start("warn", message), event);
  }

  private static JsonObjectBuilder of(JsonObjectBuilder line, Event.OfOperation event) {
    return line.with("queue", event.operation().name());
  }

  private JsonObjectBuilder told(String level, String text, Event.Messaged event) {
    Event.Mention message = event.message();
    JsonObjectBuilder line = start(level, text);
    event.about().ifPresent(key -> line.with("idempotency_key", key.text()));
    return line.with("message_id", shown(message.id()))
        .with("destination", shown(message.destination()))
        .withUnlessEmpty("consumer", shown(message.consumer()));
  }

  private JsonObjectBuilder start(String level, String message) {
    return Json.object()
        .with("level", level)
        .with("ts", clock.instant().truncatedTo(ChronoUnit.MILLIS).toString())
        .with("msg", message);
  }

  private static JsonObjectBuilder about(JsonObjectBuilder line, Event.Keyed event) {
    Key key = event.key();
    return line.with("idempotency_key", key.text())
        .withUnlessEmpty("job_id", shown(ClaimingProcess.ownId(event.requestId())))
        .with("queue", key.operation().name())
        .with("tenant", key.tenant().name());
  }

  private static JsonObjectBuilder met(JsonObjectBuilder line, FirstExecution original) {
    return line.withUnlessEmpty(
            "original_job_id", shown(ClaimingProcess.ownId(original.requestId())))
        .with("attempt", original.attempt())
        .with("age", DurationText.brief(original.age()))
        .with("ttl_remaining", DurationText.brief(original.retentionLeft()));
  }

  private static String shown(String text) {
    return EventLines.shown(text);
  }
}
