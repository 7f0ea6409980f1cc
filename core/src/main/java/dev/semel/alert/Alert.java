package dev.semel.alert;

import dev.semel.event.Event;
import dev.semel.internal.PrintableText;
import dev.semel.json.Json;
import dev.semel.json.JsonValue.JsonObject;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * One rule's alert about one subject, such as an operation.
 *
 * @param subject empty: the rule has only one subject
 * @param began when the limit was first exceeded
 * @param since when it came into this state
 * @param seen the last measured value, in the rule's unit
 * @param text the measured value and the limit, as a sentence
 */
public record Alert(
    AlertRule rule,
    String subject,
    State state,
    Instant began,
    Instant since,
    double seen,
    double limit,
    String text) {

  /** The state of an alert. */
  public enum State {
    /** Beyond the limit, but not yet for long enough. */
    PENDING,
    FIRING,
    /** The alert was firing, and is over. */
    RESOLVED
  }

  /**
   * The alert's id for other systems: the same from its beginning to its end, and never used again.
   */
  public String id() {
    return "%s/%s/%d".formatted(rule.word(), subject, began.toEpochMilli());
  }

  /** The event for listeners; only for alerts that fire or are resolved. */
  public Event.AlertChanged event() {
    boolean firing = state == State.FIRING;
    return new Event.AlertChanged(
        rule.word(),
        subject,
        PrintableText.word(rule.severity()),
        firing,
        seen,
        limit,
        text,
        firing ? "%s (%s)".formatted(rule.advice(), rule.runbook()) : "");
  }

  /** The JSON form for programs. */
  public JsonObject json() {
    return Json.object()
        .with("id", id())
        .with("alert", rule.word())
        .with("subject", subject)
        .with("state", PrintableText.word(state))
        .with("severity", PrintableText.word(rule.severity()))
        .with("began", began.truncatedTo(ChronoUnit.MILLIS).toString())
        .with("since", since.truncatedTo(ChronoUnit.MILLIS).toString())
        .with("seen", rounded(seen))
        .with("limit", rounded(limit))
        .with("unit", PrintableText.word(rule.unit()))
        .with("text", text)
        .with("advice", rule.advice())
        .with("runbook", rule.runbook())
        .build();
  }

  private static double rounded(double value) {
    return Math.round(value * 1000) / 1000.0;
  }
}
