package dev.semel.admin;

import dev.semel.Key;
import dev.semel.event.EventLine;
import dev.semel.idempotency.spi.KeyEntry;
import dev.semel.idempotency.spi.RecordState;
import dev.semel.inbox.spi.InboxOperations;
import dev.semel.internal.ClaimingProcess;
import dev.semel.internal.PrintableText;
import dev.semel.job.spi.JobOperations;
import dev.semel.json.Json;
import dev.semel.json.JsonValue;
import dev.semel.json.JsonValue.JsonNumber;
import dev.semel.json.JsonValue.JsonObject;
import dev.semel.json.JsonValue.JsonString;
import dev.semel.outbox.spi.OutboxOperations;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The history of one key, in order: its record, its requests, the messages it sent and their
 * deliveries, its job, and when its record expires.
 *
 * @param masked true: events of this key hold no ids, so the messages in them are left out
 * @param cut true: there are older events that are not shown
 */
public record KeyTimeline(Key key, List<TimelineEntry> moments, boolean masked, boolean cut) {
  public KeyTimeline {
    moments = List.copyOf(moments);
  }

  /** True: nothing is known of the key. */
  public boolean isEmpty() {
    return moments.isEmpty();
  }

  /** Builds the timeline from what was read at one time. For one thread. */
  static final class Parts {
    private final Key key;
    private final Instant now;
    private final List<TimelineEntry> moments = new ArrayList<>();
    private boolean masked;
    private boolean cut;

    Parts(Key key, Instant now) {
      this.key = key;
      this.now = now.truncatedTo(ChronoUnit.MILLIS); // the resolution of events and rows
    }

    /** Adds lines whose ids were masked when they were written. */
    Parts masked(List<EventLine> lines) {
      masked = masked || !lines.isEmpty();
      return events(lines);
    }

    /** Marks that there are more events than were read. */
    Parts cut() {
      cut = true;
      return this;
    }

    Parts events(List<EventLine> lines) {
      for (EventLine line : lines) {
        Map<String, String> facts = facts(line);
        String who = facts.getOrDefault("actor", line.writer());
        facts.remove("actor");
        Instant at = Instant.ofEpochMilli(line.atMillis());
        moments.add(new TimelineEntry(at, line.kind(), TimelineEntry.Source.EVENTS, who, facts));
      }
      return this;
    }

    Parts record(KeyEntry entry) {
      Instant claimed = now.minus(entry.existing().original().age());
      Map<String, String> first = new LinkedHashMap<>();
      String request = entry.existing().original().requestId();
      put(first, "request", ClaimingProcess.ownId(request));
      put(first, "by", ClaimingProcess.in(request).map(ClaimingProcess::toString).orElse(""));
      add(claimed, "claimed", TimelineEntry.Source.RECORD, first);
      Map<String, String> facts = new LinkedHashMap<>();
      boolean doubtful = entry.leaseEnded();
      facts.put("state", doubtful ? "in-doubt" : PrintableText.word(entry.existing().state()));
      facts.put("attempt", Integer.toString(entry.existing().original().attempt()));
      facts.put("bytes", Integer.toString(entry.existing().payload().bytes().length));
      add(now, "stands", TimelineEntry.Source.RECORD, facts);
      if (entry.existing().state() == RecordState.IN_FLIGHT) {
        add(
            now.plus(entry.existing().leaseLeft()),
            doubtful ? "lease-ended" : "lease-ends",
            TimelineEntry.Source.RECORD,
            Map.of());
      }
      Instant expires = now.plus(entry.existing().original().retentionLeft());
      add(expires, "expires", TimelineEntry.Source.RECORD, Map.of());
      return this;
    }

    Parts sent(OutboxOperations.Entry message) {
      Map<String, String> facts = new LinkedHashMap<>();
      facts.put("message", message.id());
      facts.put("destination", message.destination());
      put(facts, "type", message.type());
      if (message.attempts() > 0) {
        facts.put("attempts", Integer.toString(message.attempts()));
      }
      put(facts, "error", message.reason());
      add(message.since(), PrintableText.word(message.state()), TimelineEntry.Source.OUTBOX, facts);
      return this;
    }

    /** An inbox keeps the message beside its id: it waits for its worker, or is a dead letter. */
    Parts stored(String consumer, String id) {
      Map<String, String> facts = new LinkedHashMap<>();
      facts.put("message", id);
      facts.put("consumer", consumer);
      add(now, "stored", TimelineEntry.Source.INBOX, facts);
      return this;
    }

    Parts inDoubt(String consumer, InboxOperations.Entry message) {
      Map<String, String> facts = new LinkedHashMap<>();
      facts.put("message", message.id());
      facts.put("consumer", consumer);
      add(message.since(), "in-doubt", TimelineEntry.Source.INBOX, facts);
      return this;
    }

    Parts job(JobOperations.Entry job) {
      add(job.enqueued(), "enqueued", TimelineEntry.Source.JOBS, Map.of("job", job.id()));
      if (job.due().isAfter(job.enqueued())) {
        add(job.due(), "due", TimelineEntry.Source.JOBS, Map.of());
      }
      job.started().ifPresent(at -> add(at, "started", TimelineEntry.Source.JOBS, Map.of()));
      job.ended().ifPresent(at -> add(at, "ended", TimelineEntry.Source.JOBS, Map.of()));
      Map<String, String> facts = new LinkedHashMap<>();
      facts.put("state", PrintableText.word(job.state()));
      facts.put("attempts", Integer.toString(job.attempts()));
      put(facts, "error", job.error().lines().findFirst().orElse(""));
      add(now, "stands", TimelineEntry.Source.JOBS, facts);
      return this;
    }

    private void add(
        Instant at, String kind, TimelineEntry.Source source, Map<String, String> facts) {
      moments.add(new TimelineEntry(at, kind, source, "", facts));
    }

    private static void put(Map<String, String> facts, String name, String value) {
      if (!value.isEmpty()) {
        facts.put(name, value);
      }
    }

    /** A message with a consumer that received it, or should have. */
    record Heard(String consumer, String message) {}

    Set<Heard> heard() {
      Set<Heard> heard = new HashSet<>();
      for (TimelineEntry moment : moments) {
        String consumer = moment.facts().getOrDefault("consumer", "");
        String message = moment.facts().getOrDefault("message", "");
        if (!consumer.isEmpty() && !message.isEmpty()) {
          heard.add(new Heard(consumer, message));
        }
      }
      return heard;
    }

    static Map<String, String> facts(EventLine line) {
      Map<String, String> facts = new LinkedHashMap<>();
      for (String json : List.of(line.details(), line.personal().more())) {
        if (!json.isEmpty() && Json.parse(json) instanceof JsonObject object) {
          object.members().forEach((name, value) -> facts.put(name, text(value)));
        }
      }
      return facts;
    }

    private static String text(JsonValue value) {
      return switch (value) {
        case JsonString s -> s.text();
        case JsonNumber n -> n.value().toPlainString();
        default -> Json.write(value);
      };
    }

    /** The sort is stable, so entries with the same time keep the order of the event log. */
    KeyTimeline line() {
      List<TimelineEntry> ordered =
          moments.stream().sorted(Comparator.comparing(TimelineEntry::at)).toList();
      return new KeyTimeline(key, ordered, masked, cut);
    }
  }
}
