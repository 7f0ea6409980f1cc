package dev.semel.admin.document.internal;

import static dev.semel.admin.document.internal.DocumentSchema.integer;
import static dev.semel.admin.document.internal.DocumentSchema.map;
import static dev.semel.admin.document.internal.DocumentSchema.objects;
import static dev.semel.admin.document.internal.DocumentSchema.text;
import static dev.semel.admin.document.internal.DocumentSchema.time;

import dev.semel.Key;
import dev.semel.Operation;
import dev.semel.idempotency.Fingerprint;
import dev.semel.internal.PrintableText;
import dev.semel.job.Job;
import dev.semel.job.JobPriority;
import dev.semel.job.spi.JobOperations.Counts;
import dev.semel.job.spi.JobOperations.Entry;
import dev.semel.job.spi.JobOperations.Page;
import dev.semel.job.spi.JobState;
import dev.semel.json.Json;
import dev.semel.json.JsonObjectBuilder;
import dev.semel.json.JsonValue;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** The JSON form of jobs and their queues. */
public final class JobDocument {
  public static final DocumentSchema SCHEMA =
      DocumentSchema.of(
          "Job",
          text("key"),
          text("id"),
          text("state"),
          text("priority"),
          integer("payload_bytes"),
          integer("attempts"),
          time("enqueued"),
          time("due"),
          time("started").optional(),
          time("ended").optional(),
          text("reason").optional(),
          text("trace").optional());

  static final DocumentSchema PAGE = SCHEMA.page("jobs");

  static final DocumentSchema WHOLE =
      DocumentSchema.of(
          "JobPayload",
          text("key"),
          text("id"),
          text("priority"),
          text("fingerprint"),
          integer("delay_ms"),
          integer("retention_ms"),
          map("headers"),
          text("base64"));

  static final DocumentSchema QUEUES =
      DocumentSchema.of(
          "JobQueues",
          time("now"),
          objects(
              "queues",
              DocumentSchema.of(
                  "JobQueue",
                  text("queue"),
                  integer("pending"),
                  integer("delayed"),
                  integer("processing"),
                  integer("completed"),
                  integer("failed"),
                  integer("in_doubt"),
                  integer("dead"),
                  integer("oldest_ms").optional())));

  private JobDocument() {}

  /**
   * A page of a listing.
   *
   * @param traces true: whole failures, not only their first line
   */
  public static JsonObjectBuilder json(Page page, boolean traces) {
    return ListingDocument.json(
        "jobs",
        page.entries().stream().map(each -> json(each, traces).build()).toList(),
        page.cursor());
  }

  public static JsonObjectBuilder json(Entry each, boolean traces) {
    JsonObjectBuilder members =
        Json.object()
            .with("key", each.key().text())
            .with("id", each.id())
            .with("state", each.state().name().toLowerCase(Locale.ROOT))
            .with("priority", PrintableText.word(each.priority()))
            .with("payload_bytes", each.payloadBytes())
            .with("attempts", each.attempts())
            .with("enqueued", each.enqueued().toString())
            .with("due", each.due().toString());
    each.started().ifPresent(at -> members.with("started", at.toString()));
    each.ended().ifPresent(at -> members.with("ended", at.toString()));
    members.withUnlessEmpty("reason", each.error().lines().findFirst().orElse(""));
    return traces ? members.withUnlessEmpty("trace", each.error()) : members;
  }

  /** The job with its payload. */
  public static JsonObjectBuilder whole(Job job) {
    JsonObjectBuilder headers = Json.object();
    job.headers().forEach(headers::with);
    return Json.object()
        .with("key", job.key().text())
        .with("id", job.id())
        .with("priority", PrintableText.word(job.priority()))
        .with("fingerprint", job.fingerprint().text())
        .with("delay_ms", job.delay().toMillis())
        .with("retention_ms", job.retention().toMillis())
        .with("headers", headers.build())
        .with("base64", Base64.getEncoder().encodeToString(job.payload()));
  }

  public static Job readWhole(JsonValue value) {
    MemberReader from = MemberReader.of(value);
    return new Job(
        Key.parse(from.text("key")),
        from.text("id"),
        from.bytes("base64"),
        from.textsByName("headers"),
        from.choice("priority", JobPriority.class),
        new Fingerprint(from.text("fingerprint")),
        from.millis("delay_ms"),
        from.millis("retention_ms"));
  }

  public static Page readPage(JsonValue value) {
    MemberReader from = MemberReader.of(value);
    return new Page(from.items("jobs", JobDocument::read), from.textOrEmpty("next"));
  }

  public static Entry read(JsonValue value) {
    MemberReader from = MemberReader.of(value);
    return new Entry(
        Key.parse(from.text("key")),
        from.text("id"),
        from.choice("state", JobState.class),
        from.choice("priority", JobPriority.class),
        from.integer("payload_bytes"),
        from.integer("attempts"),
        from.time("enqueued"),
        from.time("due"),
        from.findTime("started"),
        from.findTime("ended"),
        from.find("trace").isPresent() ? from.text("trace") : from.textOrEmpty("reason"));
  }

  /**
   * The counts of all queues.
   *
   * @param now on the queues' clock
   */
  public static JsonObjectBuilder json(Map<Operation, Counts> counts, Instant now) {
    List<JsonValue> queues = new ArrayList<>();
    counts.forEach((queue, each) -> queues.add(json(queue, each)));
    return Json.object().with("now", now.toString()).with("queues", queues);
  }

  private static JsonValue json(Operation queue, Counts each) {
    JsonObjectBuilder members =
        Json.object()
            .with("queue", queue.name())
            .with("pending", each.pending())
            .with("delayed", each.delayed())
            .with("processing", each.processing())
            .with("completed", each.completed())
            .with("failed", each.failed())
            .with("in_doubt", each.inDoubt())
            .with("dead", each.dead());
    each.oldest().ifPresent(age -> members.with("oldest_ms", age.toMillis()));
    return members.build();
  }

  public static SortedMap<Operation, Counts> readCounts(JsonValue value) {
    SortedMap<Operation, Counts> counts = new TreeMap<>(Comparator.comparing(Operation::name));
    MemberReader.of(value)
        .items("queues", MemberReader::of)
        .forEach(
            each ->
                counts.put(
                    new Operation(each.text("queue")),
                    new Counts(
                        each.number("pending"),
                        each.number("delayed"),
                        each.number("processing"),
                        each.number("completed"),
                        each.number("failed"),
                        each.number("in_doubt"),
                        each.findMillis("oldest_ms"))));
    return counts;
  }
}
