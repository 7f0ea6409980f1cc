package dev.semel.server.admin;

import dev.semel.InvalidInput;
import dev.semel.Key;
import dev.semel.Operation;
import dev.semel.admin.QueueAdmin;
import dev.semel.admin.document.JobDocument;
import dev.semel.job.JobState;
import dev.semel.json.Json;
import java.util.List;
import java.util.Optional;

/** Jobs, dead letters among them. */
final class JobRoutes {
  private static final RouteParameter QUEUE = new RouteParameter("queue", "Only this queue.");

  private JobRoutes() {}

  static List<AdminRoute> all() {
    return List.of(
        AdminRoute.get(
            "jobs",
            "Jobs without their payload, a page at a time.",
            RouteParameter.list(
                QUEUE,
                new RouteParameter(
                    "state",
                    "Only these, with commas: pending, processing, completed, failed, in_doubt; or dead."),
                new RouteParameter("trace", "true: with all that is kept of each failure."),
                RouteParameter.CURSOR,
                RouteParameter.LIMIT),
            JobRoutes::list),
        AdminRoute.get(
            "jobs/queues",
            "How many jobs of each queue wait, run and are over.",
            List.of(),
            asked -> JobDocument.json(queueAdmin(asked).counts(), queueAdmin(asked).now()).write()),
        AdminRoute.change(
            "POST",
            "jobs/retry",
            "Put dead letters back into their queue: one by its key, or all.",
            RouteParameter.list(
                new RouteParameter("key", "This job alone."),
                new RouteParameter(
                    "payload", "With this in place of what it has, as Base64; with key."),
                QUEUE,
                RouteParameter.DRY_RUN,
                RouteParameter.EXPECT),
            JobRoutes::retry),
        AdminRoute.change(
            "GET",
            "jobs/{key}/payload",
            "All that a job is made of, its payload as Base64.",
            List.of(),
            JobRoutes::payload),
        AdminRoute.get("jobs/{key}", "One job.", List.of(), JobRoutes::find));
  }

  private static QueueAdmin queueAdmin(AdminRequest asked) {
    return asked.center().jobs().orElseThrow(NotFound::jobs);
  }

  private static String list(AdminRequest asked) {
    boolean dead = asked.text("state").equals("dead");
    return JobDocument.json(
            queueAdmin(asked)
                .list(
                    asked.operation("queue"),
                    dead ? QueueAdmin.DEAD : asked.choices("state", JobState.class),
                    asked.cursor(),
                    asked.limit()),
            asked.flag("trace"))
        .write();
  }

  private static String find(AdminRequest asked) {
    return queueAdmin(asked)
        .find(asked.key())
        .map(found -> JobDocument.json(found, true).write())
        .orElseThrow(() -> new NotFound("there is no job " + asked.key()));
  }

  private static String payload(AdminRequest asked) {
    return queueAdmin(asked)
        .read(asked.key())
        .map(found -> JobDocument.whole(found).write())
        .orElseThrow(() -> new NotFound("there is no job " + asked.key()));
  }

  private static String retry(AdminRequest asked) {
    QueueAdmin queueAdmin = queueAdmin(asked);
    Optional<Operation> queue = asked.operation("queue");
    Optional<Key> key = asked.find("key").map(Key::parse);
    Optional<byte[]> payload = asked.bytes("payload");
    if (payload.isPresent() && key.isEmpty()) {
      throw new InvalidInput("a payload is for one dead letter: name it with key");
    }
    if (key.isEmpty()) {
      return BulkChange.compared(
          asked,
          "retried",
          () -> queueAdmin.dead(queue),
          () -> queueAdmin.retryAll(queue, so -> {}));
    }
    if (queue.isPresent()) {
      throw new InvalidInput("name one dead letter with key, or a whole queue, not both");
    }
    boolean went =
        payload.isPresent()
            ? queueAdmin.retry(key.get(), payload.get())
            : queueAdmin.retry(key.get());
    if (!went) {
      throw new NotFound("there is no dead letter %s: see jobs?state=dead".formatted(key.get()));
    }
    return Json.object().with("retried", 1).write();
  }
}
