package dev.semel.server.admin;

import dev.semel.InvalidInput;
import dev.semel.Key;
import dev.semel.Operation;
import dev.semel.admin.QueueAdmin;
import dev.semel.admin.document.internal.AdminAction;
import dev.semel.admin.document.internal.JobDocument;
import dev.semel.job.spi.JobState;
import dev.semel.json.Json;
import dev.semel.json.JsonObjectBuilder;
import java.util.List;
import java.util.Optional;

/** Actions on jobs, dead letters among them. */
final class JobRoutes {
  private JobRoutes() {}

  static List<AdminRoute> all() {
    return List.of(
        AdminRoute.of(AdminAction.JOBS_LIST, JobRoutes::list),
        AdminRoute.of(
            AdminAction.JOBS_QUEUES,
            asked -> JobDocument.json(queueAdmin(asked).counts(), queueAdmin(asked).now())),
        AdminRoute.of(AdminAction.JOBS_RETRY, JobRoutes::retry),
        AdminRoute.of(AdminAction.JOBS_PAYLOAD, JobRoutes::payload),
        AdminRoute.of(AdminAction.JOBS_INSPECT, JobRoutes::find));
  }

  private static QueueAdmin queueAdmin(AdminRequest asked) {
    return asked.center().jobs().orElseThrow(NotFound::jobs);
  }

  private static JsonObjectBuilder list(AdminRequest asked) {
    boolean dead = asked.text("state").equals("dead");
    return JobDocument.json(
        queueAdmin(asked)
            .list(
                asked.operation("queue"),
                dead ? QueueAdmin.DEAD : asked.choices("state", JobState.class),
                asked.cursor(),
                asked.limit()),
        asked.flag("trace"));
  }

  private static JsonObjectBuilder find(AdminRequest asked) {
    return queueAdmin(asked)
        .find(asked.key())
        .map(found -> JobDocument.json(found, true))
        .orElseThrow(() -> new NotFound("there is no job " + asked.key()));
  }

  private static JsonObjectBuilder payload(AdminRequest asked) {
    return queueAdmin(asked)
        .read(asked.key())
        .map(found -> JobDocument.whole(found))
        .orElseThrow(() -> new NotFound("there is no job " + asked.key()));
  }

  private static JsonObjectBuilder retry(AdminRequest asked) {
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
    return Json.object().with("retried", 1);
  }
}
