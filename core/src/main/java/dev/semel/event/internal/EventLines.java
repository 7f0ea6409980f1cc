package dev.semel.event.internal;

import dev.semel.FirstExecution;
import dev.semel.Key;
import dev.semel.event.Event;
import dev.semel.event.EventLine;
import dev.semel.event.JsonLog;
import dev.semel.event.spi.EventSink;
import dev.semel.internal.ClaimingProcess;
import dev.semel.internal.Ids;
import dev.semel.internal.PrintableText;
import dev.semel.json.Json;
import dev.semel.json.JsonObjectBuilder;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Optional;

/** Turns events into lines: their kinds, the stored members, and which of them may be personal. */
public final class EventLines {
  private static final int MASK_DIGITS = 32;

  private EventLines() {}

  /** The line of an event, without its place in the chain. */
  public static EventLine line(String writer, Event event, long atMillis, String salt) {
    String tenant = "";
    String operation = "";
    String id = "";
    JsonObjectBuilder more = Json.object();
    Optional<Key> about = event.about();
    if (about.isPresent()) {
      tenant = about.get().tenant().name();
      operation = about.get().operation().name();
      id = about.get().id();
    }
    if (event instanceof Event.OfOperation whole) {
      operation = whole.operation().name();
    }
    JsonObjectBuilder details = Json.object();
    if (event instanceof Event.Keyed keyed) {
      request(more, "", keyed.requestId());
    }
    if (event instanceof Event.Messaged messaged) {
      Event.Mention message = messaged.message();
      details
          .with("destination", shown(message.destination()))
          .withUnlessEmpty("consumer", shown(message.consumer()));
      more.with("message", shown(message.id()));
    }
    fill(event, details, more);
    return new EventLine(
        writer,
        0,
        atMillis,
        kind(event),
        tenant,
        operation,
        details.write(),
        new EventLine.Personal(id, more.write(), salt),
        "",
        "",
        "");
  }

  /** The kind, such as {@code taken-over}. */
  static String kind(Event event) {
    return event
        .getClass()
        .getSimpleName()
        .replaceAll("(?<=.)(?=[A-Z])", "-")
        .toLowerCase(Locale.ROOT);
  }

  /** The class of an event, each with its own limit. */
  public enum Share {
    /** Expected with every execution. */
    EXECUTIONS(EventSink.MAX_ROUTINE),
    /** Expected with every message. */
    MESSAGES(EventSink.MAX_ROUTINE),
    /** Out of the ordinary. */
    NOTABLE(EventSink.MAX_NOTABLE);

    /** How many events are kept between two flushes. */
    public final int limit;

    Share(int limit) {
      this.limit = limit;
    }
  }

  public static Share share(Event event) {
    if (event instanceof Event.Claimed || event instanceof Event.Completed) {
      return Share.EXECUTIONS;
    }
    return event instanceof Event.Published || event instanceof Event.Consumed
        ? Share.MESSAGES
        : Share.NOTABLE;
  }

  private static void fill(Event event, JsonObjectBuilder details, JsonObjectBuilder personal) {
    switch (event) {
      case Event.Claimed e -> details.with("attempt", e.attempt());
      case Event.TakenOver e -> details.with("attempt", e.attempt());
      case Event.Completed e ->
          details
              .with("attempt", e.attempt())
              .with("took_ms", e.took().toMillis())
              .with("response_bytes", e.responseBytes());
      case Event.FailureStored e ->
          details.with("attempt", e.attempt()).with("failure", shown(e.kind()));
      case Event.Released e -> {
        details.with("attempt", e.attempt()).with("failure", shown(e.kind()));
        personal.withUnlessEmpty("error", shown(e.message()));
      }
      case Event.Replayed e -> met(details, personal, e.original());
      case Event.InFlight e ->
          met(details, personal, e.original()).with("lease_left_ms", e.leaseLeft().toMillis());
      case Event.Mismatched e -> met(details, personal, e.original());
      case Event.InDoubt e -> met(details, personal, e.original());
      case Event.Fenced e -> details.with("attempt", e.attempt()).with("step", shown(e.step()));
      case Event.Unrecorded e -> details.with("attempt", e.attempt());
      case Event.Outlived e -> details.with("attempt", e.attempt());
      case Event.Collided e -> moved(personal, e.movedTo());
      case Event.StoreFailed e -> {
        details.with("step", shown(e.step()));
        personal.with("error", shown(e.message()));
      }
      case Event.Unguarded e -> details.with("reason", PrintableText.word(e.reason()));
      case Event.Reconciled e -> details.with("verdict", PrintableText.word(e.verdict()));
      case Event.StrategiesDiffer e -> {
        details.with("difference", PrintableText.word(e.difference()));
        personal.with("shadow_id", shown(e.shadowId()));
      }
      case Event.JobRetried e -> {
        details.with("attempt", e.attempt()).with("pause_ms", e.pause().toMillis());
        personal.with("error", shown(e.reason()));
      }
      case Event.JobBuried e -> {
        details.with("attempt", e.attempt()).with("why", PrintableText.word(e.grave()));
        personal.with("error", shown(e.reason()));
      }
      case Event.JobLost e -> {}
      case Event.CircuitChanged e -> {
        details.with("open", e.open());
        personal.with("error", shown(e.reason()));
      }
      case Event.DuplicateStorm e ->
          details
              .with("hit_rate", percent(e.hitRate()))
              .with("threshold", percent(e.threshold()))
              .with("over", e.over())
              .with("suggestion", e.suggestion());
      case Event.Published e -> details.with("duplicate", e.duplicate());
      case Event.PublishRefused e -> {
        details.with("attempt", e.attempt());
        personal.with("error", shown(e.reason()));
      }
      case Event.Rebuilt e -> {}
      case Event.Consumed e -> {}
      case Event.Redelivered e -> {}
      case Event.HandlerFailed e -> personal.with("error", shown(e.reason()));
      case Event.DeadLettered e -> personal.with("error", shown(e.reason()));
      case Event.LoopFailed e -> {
        details.with("loop", shown(e.loop())).with("count", e.count());
        personal.with("error", shown(e.reason()));
      }
      case Event.CallersCut e ->
          details
              .with("callers", e.callers())
              .with("held_bytes", e.heldBytes())
              .with("limit_bytes", e.limitBytes());
      case Event.ClockSkewed e -> details.with("ahead_ms", e.ahead().toMillis());
      case Event.Changed e -> {
        details.with("action", shown(e.action()));
        personal.with("actor", shown(e.actor())).with("target", shown(e.target()));
      }
      case Event.Skipped e -> details.with("count", e.count()).with("notable", e.notable());
      case Event.AlertChanged e ->
          details
              .with("alert", shown(e.rule()))
              .with("subject", shown(e.subject()))
              .with("severity", shown(e.severity()))
              .with("firing", e.firing())
              .with("seen", rounded(e.seen()))
              .with("limit", rounded(e.limit()))
              .with("text", shown(e.text()));
    }
  }

  /** Rounds to three decimal places. */
  public static double rounded(double value) {
    return Math.round(value * 1000) / 1000.0;
  }

  /** Rounds to one decimal place. */
  public static double percent(double value) {
    return Math.round(value * 10) / 10.0;
  }

  private static void moved(JsonObjectBuilder personal, Key to) {
    personal.with("moved_to", to.text());
  }

  /** Separates the caller's id from the process that runs the command. */
  private static void request(JsonObjectBuilder personal, String prefix, String text) {
    personal
        .withUnlessEmpty(prefix + "request", shown(ClaimingProcess.ownId(text)))
        .withUnlessEmpty(
            prefix + "claimed_by", ClaimingProcess.in(text).map(ClaimingProcess::text).orElse(""));
  }

  private static JsonObjectBuilder met(
      JsonObjectBuilder details, JsonObjectBuilder personal, FirstExecution original) {
    request(personal, "original_", original.requestId());
    return details
        .with("attempt", original.attempt())
        .with("age_ms", original.age().toMillis())
        .with("retention_left_ms", original.retentionLeft().toMillis());
  }

  /**
   * Replaces ids by hashes and drops texts: lines of one key still belong together, but identify
   * nobody.
   */
  public static EventLine masked(EventLine line) {
    String id = mask(line.tenant(), line.operation(), line.personal().id());
    return new EventLine(
        line.writer(),
        line.number(),
        line.atMillis(),
        line.kind(),
        line.tenant(),
        line.operation(),
        line.details(),
        new EventLine.Personal(id, Json.object().write(), line.personal().salt()),
        "",
        "",
        "");
  }

  public static String mask(String tenant, String operation, String id) {
    String text = tenant + "/" + operation + ":" + id;
    return "masked-"
        + Ids.sha256Hex(text.getBytes(StandardCharsets.UTF_8)).substring(0, MASK_DIGITS);
  }

  /** Text from outside may be very long, or broken without a UTF-8 form; a line must be neither. */
  public static String shown(String text) {
    String cut =
        text.length() <= JsonLog.MAX_MESSAGE_LENGTH
            ? text
            : text.substring(0, JsonLog.MAX_MESSAGE_LENGTH - 1) + "…";
    return new String(cut.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
  }
}
