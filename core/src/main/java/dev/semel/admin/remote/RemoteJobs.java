package dev.semel.admin.remote;

import dev.semel.Key;
import dev.semel.Operation;
import dev.semel.admin.QueueAdmin;
import dev.semel.admin.document.internal.AdminAction;
import dev.semel.admin.document.internal.JobDocument;
import dev.semel.admin.document.internal.MemberReader;
import dev.semel.internal.PrintableText;
import dev.semel.job.Job;
import dev.semel.job.spi.JobOperations;
import dev.semel.job.spi.JobState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.function.LongConsumer;
import java.util.stream.Collectors;

/** The jobs of a server. A change of many asks the server for the count first. */
record RemoteJobs(AdminApiClient calls) implements QueueAdmin {
  /** How many jobs, with their failures, fit into one answer. */
  private static final int PART = 200;

  @Override
  public Instant now() {
    return MemberReader.of(calls.ask(AdminQuery.of(AdminAction.JOBS_QUEUES))).time("now");
  }

  @Override
  public SortedMap<Operation, JobOperations.Counts> counts() {
    return JobDocument.readCounts(calls.ask(AdminQuery.of(AdminAction.JOBS_QUEUES)));
  }

  @Override
  public Optional<JobOperations.Entry> find(Key key) {
    return AdminApiClient.found(
        () -> JobDocument.read(calls.ask(AdminQuery.of(AdminAction.JOBS_INSPECT, key.text()))));
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
              calls.ask(
                  AdminQuery.of(AdminAction.JOBS_LIST)
                      .with("queue", only.map(Operation::name).orElse(""))
                      .with(
                          "state",
                          states.stream()
                              .map(PrintableText::word)
                              .sorted()
                              .collect(Collectors.joining(",")))
                      .with("trace", true)
                      .with("cursor", next)
                      .with("limit", Math.min(PART, limit - entries.size()))));
      entries.addAll(part.entries());
      next = part.cursor();
    } while (!next.isEmpty() && entries.size() < limit);
    return new JobOperations.Page(entries, next);
  }

  @Override
  public boolean retry(Key key) {
    return retried(AdminQuery.of(AdminAction.JOBS_RETRY).with("key", key.text()));
  }

  private boolean retried(AdminQuery query) {
    return AdminApiClient.found(() -> calls.ask(query))
        .filter(answer -> MemberReader.of(answer).number("retried") > 0)
        .isPresent();
  }

  @Override
  public Optional<Job> read(Key key) {
    AdminQuery query = AdminQuery.of(AdminAction.JOBS_PAYLOAD, key.text());
    return AdminApiClient.found(() -> JobDocument.readWhole(calls.ask(query)));
  }

  @Override
  public boolean retry(Key key, byte[] payload) {
    return retried(
        AdminQuery.of(AdminAction.JOBS_RETRY).with("key", key.text()).with("payload", payload));
  }

  @Override
  public long retryAll(Optional<Operation> only, LongConsumer progress) {
    long count = MemberReader.of(calls.ask(retrying(only).dryRun())).number("count");
    return MemberReader.of(calls.ask(retrying(only).expecting(count))).number("retried");
  }

  private static AdminQuery retrying(Optional<Operation> only) {
    return AdminQuery.of(AdminAction.JOBS_RETRY)
        .with("queue", only.map(Operation::name).orElse(""));
  }
}
