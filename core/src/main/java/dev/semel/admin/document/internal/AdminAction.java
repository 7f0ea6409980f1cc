package dev.semel.admin.document.internal;

import static dev.semel.admin.document.internal.ActionParameter.CONSUMER;
import static dev.semel.admin.document.internal.ActionParameter.CURSOR;
import static dev.semel.admin.document.internal.ActionParameter.DESTINATION;
import static dev.semel.admin.document.internal.ActionParameter.DRY_RUN;
import static dev.semel.admin.document.internal.ActionParameter.EXPECT;
import static dev.semel.admin.document.internal.ActionParameter.EXPECT_AT_LEAST;
import static dev.semel.admin.document.internal.ActionParameter.FROM;
import static dev.semel.admin.document.internal.ActionParameter.ID;
import static dev.semel.admin.document.internal.ActionParameter.KEY;
import static dev.semel.admin.document.internal.ActionParameter.LIMIT;
import static dev.semel.admin.document.internal.ActionParameter.PAYLOAD;
import static dev.semel.admin.document.internal.ActionParameter.PREFIX;
import static dev.semel.admin.document.internal.ActionParameter.QUEUE;
import static dev.semel.admin.document.internal.ActionParameter.TEXT;
import static dev.semel.admin.document.internal.ActionParameter.UNTIL;
import static dev.semel.admin.document.internal.ActionParameter.choice;
import static dev.semel.admin.document.internal.ActionParameter.choices;
import static dev.semel.admin.document.internal.ActionParameter.flag;
import static dev.semel.admin.document.internal.ActionParameter.number;
import static dev.semel.admin.document.internal.ActionParameter.text;
import static dev.semel.admin.document.internal.ActionParameter.typed;
import static dev.semel.admin.document.internal.ActionParameter.words;
import static dev.semel.admin.document.internal.DocumentSchema.integer;
import static dev.semel.admin.document.internal.DocumentSchema.truth;

import dev.semel.admin.KeyState;
import dev.semel.admin.document.internal.ActionParameter.Kind;
import dev.semel.advice.AdviceCriteria;
import dev.semel.job.spi.JobState;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Every action of operators, described once: the routes of the admin API, its OpenAPI document, the
 * calls of {@link dev.semel.admin.remote.RemoteControlCenter} and the reference page are generated
 * from it, and tests compare the commands and all answers with it. An action of a command has its
 * name: {@link #KEYS_LIST} is {@code semel keys list}.
 */
@SuppressWarnings("ImmutableEnumChecker") // immutable records and lists
public enum AdminAction {
  STATS(
      Effect.READS, "GET stats", "What was counted, no older than a second.", StatsDocument.SCHEMA),
  STATS_RESET(
      Effect.DESTROYS,
      "POST stats/reset",
      "Set all counts to zero.",
      touched("reset"),
      DRY_RUN,
      EXPECT),

  QUEUES_LIST(
      Effect.READS,
      "GET queues",
      "Operations, what was asked of them and what is set for them.",
      OperationDocument.SCHEMA),
  QUEUES_SET(
      Effect.CHANGES,
      "PUT queues/{name}",
      "Change settings of an operation; they reach every process within seconds.",
      OperationDocument.CHANGED,
      typed("settings", Kind.OBJECT, "Each setting's text; null takes it away.").needed()),

  KEYS_LIST(
      Effect.READS,
      "GET keys",
      "Records, a page at a time.",
      KeyDocument.PAGE,
      PREFIX,
      TEXT,
      choices("state", "Only these.", words(KeyState.class)),
      CURSOR,
      LIMIT),
  KEYS_DELETE_MANY(
      Effect.DESTROYS,
      "DELETE keys",
      "Forget all chosen records.",
      touched("deleted"),
      PREFIX,
      TEXT,
      choices("state", "Only these.", words(KeyState.class)),
      DRY_RUN,
      EXPECT),
  KEYS_INSPECT(Effect.READS, "GET keys/{key}", "One record.", KeyDocument.WHOLE),
  KEYS_DELETE(
      Effect.DESTROYS,
      "DELETE keys/{key}",
      "Forget one record.",
      DocumentSchema.of("DeletedKey", DocumentSchema.text("key"), truth("deleted"))),
  KEYS_EVENTS(
      Effect.READS,
      "GET keys/{key}/events",
      "The newest events about a key, oldest of them first.",
      EventDocument.ABOUT_KEY,
      LIMIT),
  KEYS_LIFE_LINE(
      Effect.READS,
      "GET keys/{key}/life-line",
      "All that is known of a key, in order: record, events, messages, job, expiry.",
      KeyTimelineDocument.SCHEMA),
  KEYS_PAYLOAD(
      Effect.REVEALS,
      "GET keys/{key}/payload",
      "What is kept as a key's response.",
      KeyDocument.PAYLOAD),
  KEYS_RELEASE(
      Effect.DESTROYS,
      "POST keys/{key}/release",
      "Let the next call run, whatever the key's state.",
      DocumentSchema.of("ReleasedKey", DocumentSchema.text("key"), truth("released")),
      text("token", "Only if this token holds the key.")),

  OUTBOX_STATUS(
      Effect.READS,
      "GET outbox",
      "How many messages wait, fail or are dead, and which relays run.",
      OutboxDocument.SCHEMA),
  OUTBOX_LIST(
      Effect.READS,
      "GET outbox/events",
      "Messages without their payload, a page at a time.",
      MessageDocument.PAGE,
      choice("state", "Which ones.", "pending", "dead", "published").otherwise("pending"),
      DESTINATION,
      ID,
      FROM,
      UNTIL,
      CURSOR,
      LIMIT),
  OUTBOX_ABOUT(
      Effect.READS,
      "GET outbox/about",
      "The messages that executions of a key sent; looks at every row.",
      MessageDocument.PAGE,
      KEY.needed(),
      LIMIT),
  OUTBOX_PAYLOAD(
      Effect.REVEALS,
      "GET outbox/events/{id}/payload",
      "All that a dead letter is made of, its payload as Base64.",
      MessageDocument.SCHEMA,
      text("destination", "Where it goes.").needed()),
  OUTBOX_RETRY(
      Effect.CHANGES,
      "POST outbox/retry",
      "Put dead letters back into the queue, and try failing messages at once.",
      touched("retried"),
      DESTINATION,
      ID,
      PAYLOAD,
      FROM,
      UNTIL,
      DRY_RUN,
      EXPECT),
  OUTBOX_REPLAY(
      Effect.CHANGES,
      "POST outbox/replay",
      "Send published messages again.",
      touched("replayed"),
      DESTINATION,
      ID,
      FROM,
      UNTIL,
      flag("new_ids", "true: as new messages, which everybody hears again."),
      DRY_RUN,
      EXPECT),
  OUTBOX_PURGE(
      Effect.DESTROYS,
      "DELETE outbox/events",
      "Delete dead letters or published messages; never what waits.",
      touched("deleted"),
      choice("state", "Which ones.", "dead", "published").needed(),
      DESTINATION,
      ID,
      FROM,
      UNTIL,
      DRY_RUN,
      EXPECT),

  INBOX_STATUS(
      Effect.READS,
      "GET inbox",
      "How many ids each consumer keeps, what waits, failed or is in doubt, and what is wrong with"
          + " the tables.",
      InboxDocument.SCHEMA),
  INBOX_LIST(
      Effect.READS,
      "GET inbox/events",
      "A consumer's messages that wait, failed for good or are in doubt.",
      MessageDocument.PAGE,
      CONSUMER,
      choice("state", "Which ones.", "pending", "dead", "in_doubt").otherwise("pending"),
      CURSOR,
      LIMIT),
  INBOX_PAYLOAD(
      Effect.REVEALS,
      "GET inbox/events/{id}/payload",
      "All that a message that waits or is dead is made of, its payload as Base64.",
      MessageDocument.SCHEMA,
      CONSUMER),
  INBOX_RETRY(
      Effect.CHANGES,
      "POST inbox/retry",
      "Give stored messages back to their workers: all dead letters, or one message.",
      touched("retried"),
      CONSUMER,
      ID,
      PAYLOAD,
      DRY_RUN,
      EXPECT),
  INBOX_FORGET(
      Effect.DESTROYS,
      "POST inbox/forget",
      "Forget one id, so that its message takes effect when it comes again.",
      DocumentSchema.of("ForgottenId", integer("forgot")),
      CONSUMER,
      text("id", "Which message.").needed()),
  INBOX_PURGE(
      Effect.DESTROYS,
      "POST inbox/purge",
      "Forget ids that were first seen long ago, the oldest first.",
      touched("forgot"),
      CONSUMER,
      typed("older_than", Kind.DURATION, "Such as 90d.").needed(),
      DRY_RUN,
      EXPECT_AT_LEAST),
  INBOX_PURGE_DEAD(
      Effect.DESTROYS,
      "DELETE inbox/events",
      "Delete a consumer's dead letters.",
      touched("deleted"),
      CONSUMER,
      DRY_RUN,
      EXPECT),

  JOBS_LIST(
      Effect.READS,
      "GET jobs",
      "Jobs without their payload, a page at a time.",
      JobDocument.PAGE,
      QUEUE,
      choices(
          "state",
          "Only these; dead alone: those that failed or are in doubt.",
          Stream.concat(words(JobState.class).stream(), Stream.of("dead")).toList()),
      flag("trace", "true: with all that is kept of each failure."),
      CURSOR,
      LIMIT),
  JOBS_QUEUES(
      Effect.READS,
      "GET jobs/queues",
      "How many jobs of each queue wait, run and are over.",
      JobDocument.QUEUES),
  JOBS_INSPECT(Effect.READS, "GET jobs/{key}", "One job.", JobDocument.SCHEMA),
  JOBS_PAYLOAD(
      Effect.REVEALS,
      "GET jobs/{key}/payload",
      "All that a job is made of, its payload as Base64.",
      JobDocument.WHOLE),
  JOBS_RETRY(
      Effect.CHANGES,
      "POST jobs/retry",
      "Put dead letters back into their queue: one by its key, or all.",
      touched("retried"),
      typed("key", Kind.KEY, "This job alone."),
      typed("payload", Kind.BASE64, "With this in place of what it has, as Base64; with key."),
      QUEUE,
      DRY_RUN,
      EXPECT),

  AUDIT_LIST(
      Effect.READS,
      "GET audit",
      "The event log: the newest lines, or those behind a cursor.",
      EventDocument.PAGE,
      KEY,
      text("kind", "Only of this kind, such as changed."),
      text("after", "A page's next; start for the oldest line."),
      LIMIT),
  AUDIT_END(
      Effect.READS,
      "GET audit/end",
      "Where the event log ends now.",
      DocumentSchema.of("EventLogEnd", DocumentSchema.text("next"))),
  AUDIT_VERIFY(
      Effect.READS,
      "GET audit/verify",
      "Check the hash chains of the whole event log.",
      AuditDocument.SCHEMA),
  AUDIT_ERASE(
      Effect.DESTROYS,
      "POST audit/erase",
      "Erase a key's id, and what else may be personal, from the event log.",
      DocumentSchema.of("ErasedEvents", integer("erased")),
      KEY.needed()),
  EVENTS(
      Effect.READS,
      "GET events",
      "Events as they come, as server-sent events; Last-Event-ID goes on from there.",
      EventDocument.SCHEMA),

  ALERTS(
      Effect.READS,
      "GET alerts",
      "What is beyond its limit, and what was in the last day.",
      AlertDocument.SCHEMA),
  HEALTH(
      Effect.READS,
      "GET health",
      "Whether what this server looks at can be reached.",
      HealthDocument.SCHEMA),
  ADVISE(
      Effect.READS,
      "GET advice",
      "What to tune, from what was counted.",
      AdviceDocument.SCHEMA,
      typed("percent", Kind.FRACTION, "Of the duplicates, how many a retention must catch.")
          .otherwise(AdviceCriteria.usual().percent().toPlainString())),
  ADVISE_APPLY(
      Effect.CHANGES,
      "POST advice/apply",
      "Change what was advised.",
      OperationDocument.CHANGED,
      text("operation", "Whose settings.").needed(),
      text("topic", "Why, as in the advice.").needed(),
      typed("change", Kind.OBJECT, "Each setting's text.").needed()),
  CONFIG_SHOW(Effect.READS, "GET config", "How this server was set up.", ServerDocument.CONFIG),
  CLEANUP(
      Effect.DESTROYS,
      "POST cleanup",
      "Remove records whose retention has ended, and events that are too old.",
      touched("removed"),
      DRY_RUN,
      EXPECT_AT_LEAST),
  BACKUP(
      Effect.CHANGES,
      "POST backups",
      "Copy the store's file and the streams, while they are used; answers when it is done.",
      BackupDocument.SCHEMA,
      text("name", "Of the backup, among those of this server: letters, digits, . _ -").needed()),
  EXPORT(
      Effect.READS,
      "GET export",
      "All keys, events or counts, as lines of JSON or as CSV.",
      DocumentSchema.of("ExportedRow").withMore(),
      choice("what", "What to write.", "keys", "events", "stats").otherwise("keys"),
      choice("format", "How.", "jsonl", "csv").otherwise("jsonl"),
      text("prefix", "Only keys that begin so.")),

  STREAMS_LIST(
      Effect.READS,
      "GET streams",
      "Streams, a page at a time.",
      ServerDocument.STREAMS,
      text("prefix", "Only streams that begin so."),
      text("after", "Go on behind this stream."),
      LIMIT),
  PRODUCERS_LIST(
      Effect.READS,
      "GET producers",
      "The producers of a stream.",
      ServerDocument.PRODUCERS,
      text("stream", "Which stream.").needed()),
  PRODUCERS_FENCE(
      Effect.CHANGES,
      "POST producers/fence",
      "Shut out a producer's older epochs.",
      DocumentSchema.of("FencedProducer", truth("fenced")),
      text("stream", "Which stream.").needed(),
      text("id", "Which producer.").needed(),
      number("epoch", "The first that may still write.").needed(),
      flag("managed", "true: one whose epochs the server gives out.")),
  QUOTAS(
      Effect.READS,
      "GET quotas",
      "What bearers of tokens use of their quotas.",
      ServerDocument.QUOTAS),
  WHOAMI(
      Effect.READS,
      "GET whoami",
      "Who asks, and whether it may change anything.",
      ServerDocument.CALLER),
  OPENAPI(
      Effect.READS,
      "GET openapi.json",
      "This description.",
      DocumentSchema.of("OpenApi", DocumentSchema.text("openapi")).withMore());

  /** The beginning of every path. */
  public static final String ROOT = "/api/v1/";

  /** What an action does; it decides which role may call it. */
  public enum Effect {
    READS,
    /** Shows payloads; for callers that may change something. */
    REVEALS,
    CHANGES,
    /** Changes something that can't be restored. */
    DESTROYS
  }

  private final Effect effect;
  private final String method;
  private final String path;
  private final String summary;
  private final DocumentSchema answer;
  private final List<ActionParameter> parameters;

  AdminAction(
      Effect effect,
      String call,
      String summary,
      DocumentSchema answer,
      ActionParameter... parameters) {
    int space = call.indexOf(' ');
    this.effect = effect;
    this.method = call.substring(0, space);
    this.path = call.substring(space + 1);
    this.summary = summary;
    this.answer = answer;
    this.parameters = List.of(parameters);
  }

  /** The answer with the number of touched items, or with the number that {@code dry_run} found. */
  private static DocumentSchema touched(String done) {
    return DocumentSchema.of(
        Character.toUpperCase(done.charAt(0)) + done.substring(1),
        integer(done).optional(),
        truth("dry_run").optional(),
        integer("count").optional());
  }

  public Effect effect() {
    return effect;
  }

  /** Whether only callers that may change something may call it. */
  public boolean needsAdmin() {
    return effect != Effect.READS;
  }

  public String method() {
    return method;
  }

  /** The path after {@link #ROOT}; one part may be in braces, which stands for any one segment. */
  public String path() {
    return path;
  }

  /** What it does, as a sentence. */
  public String summary() {
    return summary;
  }

  /** The document of its answer, or of each line where it answers line by line. */
  public DocumentSchema answer() {
    return answer;
  }

  public List<ActionParameter> parameters() {
    return parameters;
  }

  public Optional<ActionParameter> parameter(String name) {
    return parameters.stream().filter(each -> each.name().equals(name)).findFirst();
  }

  /** Whether parameters may be in a JSON body. */
  public boolean takesBody() {
    return method.equals("POST") || method.equals("PUT");
  }

  /** The part that the path names, such as {@code key}; empty: none. */
  public String named() {
    int open = path.indexOf('{');
    return open < 0 ? "" : path.substring(open + 1, path.indexOf('}'));
  }
}
