package dev.semel.event.internal;

import dev.semel.Key;
import dev.semel.event.Event;
import dev.semel.event.EventLine;
import dev.semel.event.JsonLog;
import dev.semel.event.SemelListener;
import dev.semel.internal.PrintableText;
import dev.semel.json.Json;
import dev.semel.json.JsonValue;
import dev.semel.json.JsonValue.JsonObject;
import dev.semel.json.JsonValue.JsonString;
import dev.semel.log.internal.Log;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Writes events that operators must see to the loggers {@code dev.semel.idempotency}, {@code
 * dev.semel.job}, {@code dev.semel.alert} and {@code dev.semel.admin}: as a warning with the page
 * that says what to do, limited for each kind of event and operation; and as information where a
 * problem is over or an operator changed something. Events of every execution are not logged;
 * {@link JsonLog} writes all events.
 *
 * <p>Events of messages and failed jobs are not logged either: relays, consumers and job processors
 * log them, with the exception.
 */
public final class EventLog implements SemelListener {
  /** The most warnings a minute for each kind of event and operation. */
  public static final int LINES_PER_MINUTE = 10;

  private static final Log IDEMPOTENCY = Log.of("idempotency", LINES_PER_MINUTE);
  private static final Log JOB = Log.of("job", LINES_PER_MINUTE);
  private static final Log ALERT = Log.of("alert", LINES_PER_MINUTE);
  private static final Log ADMIN = Log.of("admin", LINES_PER_MINUTE);

  private final Predicate<Key> masked;

  /**
   * Logs events.
   *
   * @param masked whether the ids in events about this key are logged only as hashes
   */
  public EventLog(Predicate<Key> masked) {
    this.masked = masked;
  }

  @Override
  public void on(Event event) {
    switch (event) {
      case Event.Messaged e -> {}
      case Event.LoopFailed e -> {} // logged where it was caught
      case Event.CallersCut e -> {} // the server logs it, with what it refused
      case Event.JobRetried e -> {}
      case Event.JobBuried e -> {}
      case Event.TakenOver e -> warn(IDEMPOTENCY, e, "in-doubt");
      case Event.InDoubt e -> warn(IDEMPOTENCY, e, "in-doubt");
      case Event.Unrecorded e -> warn(IDEMPOTENCY, e, "in-doubt");
      case Event.Fenced e -> warn(IDEMPOTENCY, e, "fenced");
      case Event.Outlived e -> warn(IDEMPOTENCY, e, "outlived");
      case Event.Collided e -> warn(IDEMPOTENCY, e, "collided");
      case Event.StoreFailed e -> warn(IDEMPOTENCY, e, "store-away");
      case Event.Unguarded e ->
          warnIf(e.reason() == Event.Unguarded.Reason.STORE_AWAY, IDEMPOTENCY, e, "store-away");
      case Event.Reconciled e ->
          warnIf(e.verdict() != Event.Reconciled.Verdict.RECORDED, IDEMPOTENCY, e, "ran-twice");
      case Event.JobLost e -> warn(JOB, e, "in-doubt");
      case Event.CircuitChanged e -> warnIf(e.open(), JOB, e, "error-rate");
      case Event.DuplicateStorm e -> warnIf(!e.over(), IDEMPOTENCY, e, "hit-rate");
      case Event.ClockSkewed e -> warn(IDEMPOTENCY, e, "clock-skew");
      case Event.Skipped e -> warnIf(e.notable() > 0, IDEMPOTENCY, e, "events-lost");
      case Event.AlertChanged e -> warnIf(e.firing(), ALERT, e, e.rule());
      case Event.Changed e -> ADMIN.info(text(e));
      case Event.Claimed e -> {} // the usual: meters and the event log have it
      case Event.Completed e -> {}
      case Event.FailureStored e -> {}
      case Event.Released e -> {} // the caller gets the exception
      case Event.Replayed e -> {}
      case Event.InFlight e -> {}
      case Event.Mismatched e -> {} // the caller gets the outcome
      case Event.StrategiesDiffer e -> {}
    }
  }

  /** Otherwise it is good news, such as the end of an alert, or nothing notable. */
  private void warnIf(boolean bad, Log log, Event event, String runbook) {
    if (bad) {
      warn(log, event, runbook);
    } else if (!(event instanceof Event.Keyed || event instanceof Event.Skipped)) {
      log.info(text(event));
    }
  }

  private void warn(Log log, Event event, String runbook) {
    // In an outage every call reports one of these: beyond the limit it must cost little.
    String operation = event.about().map(key -> key.operation().name()).orElse("");
    log.warn(
        event.getClass().getSimpleName() + " " + operation,
        () -> text(event) + "; what to do: docs/runbooks/" + runbook + ".md");
  }

  /** The text, such as {@code taken over payment:order-1, attempt=2}. */
  private String text(Event event) {
    Optional<Key> about = event.about();
    EventLine whole = EventLines.line("", event, 0, "");
    EventLine line = about.filter(masked).isPresent() ? EventLines.masked(whole) : whole;
    StringBuilder text = new StringBuilder(line.kind().replace('-', ' '));
    if (about.isPresent()) {
      Key key = about.get();
      text.append(' ').append(new Key(key.tenant(), key.operation(), line.personal().id()).text());
    } else if (!line.operation().isEmpty()) {
      text.append(' ').append(line.operation());
    }
    append(text, line.details());
    append(text, line.personal().more());
    return text.toString();
  }

  private static void append(StringBuilder text, String members) {
    ((JsonObject) Json.parse(members))
        .members()
        .forEach((name, value) -> text.append(", ").append(name).append('=').append(shown(value)));
  }

  private static String shown(JsonValue value) {
    return value instanceof JsonString string
        ? PrintableText.safe(string.text())
        : Json.write(value);
  }
}
