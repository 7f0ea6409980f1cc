package dev.semel.admin.remote;

import dev.semel.Key;
import dev.semel.Operation;
import dev.semel.PrintableText;
import dev.semel.admin.QueueAdmin;
import dev.semel.admin.document.JobDocument;
import dev.semel.admin.document.MemberReader;
import dev.semel.job.Job;
import dev.semel.job.JobOperations;
import dev.semel.job.JobState;
import dev.semel.json.Json;
import dev.semel.json.JsonObjectBuilder;
import dev.semel.net.internal.ServerUrl;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.function.LongConsumer;
import java.util.stream.Collectors;

/** The jobs of a server. Who asks here has been told how much it touches. */
record RemoteJobs(AdminApiClient calls) implements QueueAdmin {
  /** With their failures, so many fit into one answer. */
  private static final int PART = 200;

  @Override
  public Instant now() {
    return MemberReader.of(calls.get(AdminQuery.at("jobs/queues"))).time("now");
  }

  @Override
  public SortedMap<Operation, JobOperations.Counts> counts() {
    return JobDocument.readCounts(calls.get(AdminQuery.at("jobs/queues")));
  }

  @Override
  public Optional<JobOperations.Entry> find(Key key) {
    return AdminApiClient.found(
        () -> JobDocument.read(calls.get(AdminQuery.at("jobs/" + ServerUrl.encode(key.text())))));
  }

  @Override
  public JobOperations.Page list(
      Optional<Operation> only, Set<JobState> states, String cursor, int limit) {
    JobOperations.checkPage(limit);
    List<JobOperations.Entry> entries = new ArrayList<>();
    String next = cursor;
    do {
      JobOperations.Page part =
          JobDocument.readPage(
              calls.get(
                  AdminQuery.at("jobs")
                      .with("queue", only.map(Operation::name).orElse(""))
                      .with(
                          "state",
                          states.stream()
                              .map(PrintableText::word)
                              .sorted()
                              .collect(Collectors.joining(",")))
                      .with("trace", "true")
                      .with("cursor", next)
                      .with("limit", Math.min(PART, limit - entries.size()))));
      entries.addAll(part.entries());
      next = part.cursor();
    } while (!next.isEmpty() && entries.size() < limit);
    return new JobOperations.Page(entries, next);
  }

  @Override
  public boolean retry(Key key) {
    return retried(Json.object().with("key", key.text()));
  }

  private boolean retried(JsonObjectBuilder body) {
    return AdminApiClient.found(() -> calls.post(AdminQuery.at("jobs/retry"), body.build()))
        .filter(answer -> MemberReader.of(answer).number("retried") > 0)
        .isPresent();
  }

  @Override
  public Optional<Job> read(Key key) {
    AdminQuery query = AdminQuery.at("jobs/" + ServerUrl.encode(key.text()) + "/payload");
    return AdminApiClient.found(() -> JobDocument.readWhole(calls.get(query)));
  }

  @Override
  public boolean retry(Key key, byte[] payload) {
    return retried(
        Json.object()
            .with("key", key.text())
            .with("payload", Base64.getEncoder().encodeToString(payload)));
  }

  @Override
  public long retryAll(Optional<Operation> only, LongConsumer progress) {
    long count =
        MemberReader.of(
                calls.post(AdminQuery.at("jobs/retry"), of(only).with("dry_run", true).build()))
            .number("count");
    return MemberReader.of(
            calls.post(AdminQuery.at("jobs/retry"), of(only).with("expect", count).build()))
        .number("retried");
  }

  private static JsonObjectBuilder of(Optional<Operation> only) {
    return Json.object().withUnlessEmpty("queue", only.map(Operation::name).orElse(""));
  }
}
