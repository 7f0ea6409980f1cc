package dev.semel.alert;

import dev.semel.event.Event;
import dev.semel.internal.PrintableText;
import dev.semel.json.Json;
import dev.semel.json.JsonValue.JsonObject;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * One rule's alert about one subject.
 *
 * @param subject such as an operation; empty: the rule has but one
 * @param began when the limit was first passed
 * @param since when it came into this state
 * @param seen what was seen last, in the rule's unit
 * @param text what was seen and what the limit is, as a sentence
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

  /** Where it is. */
  public enum State {
    /** Beyond the limit, but not yet for long enough. */
    PENDING,
    FIRING,
    /** It was firing, and is over. */
    RESOLVED
  }

  /** What it is called to others: the same from its beginning to its end, and never used again. */
  public String id() {
    return "%s/%s/%d".formatted(rule.word(), subject, began.toEpochMilli());
  }

  /** For listeners; only of those that fire or are resolved. */
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

  /** As all who show alerts to programs write it. */
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
