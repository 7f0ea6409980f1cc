package dev.semel.nats;

import dev.semel.jdbc.SqliteStore;
import dev.semel.junit.proof.ProofRun;
import dev.semel.proof.fault.JobKillHarness;
import dev.semel.proof.fault.JobKillHarness.Plan;
import dev.semel.proof.fault.PlainLedger;
import dev.semel.testservices.NatsService;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.io.TempDir;

/**
 * Kills and freezes workers on a JetStream work queue, with their executions' records in a shared
 * file; every second effect is a reported takeover.
 */
class JetStreamJobsKillTest {
  @TempDir Path folder;

  /** One child. */
  static final class Worker {
    private Worker() {}

    public static void main(String[] arguments) throws IOException {
      try (SqliteStore store = SqliteStore.open(Path.of(arguments[1]), InstantSource.system());
          JetStreamJobs jobs = jobs(arguments[0])) {
        JobKillHarness.work(new PlainLedger(jobs, store, Path.of(arguments[2])));
      }
    }
  }

  private static JetStreamJobs jobs(String url) {
    return JetStreamJobs.connect(
        JetStreamSettings.of(url, JetStreamJobs.stream()), JobKillHarness.LEASE);
  }

  @Test
  @Tag("proof")
  void everySecondEffectIsAReportedTakeover(TestReporter report) {
    Plan plan = Plan.few(ProofRun.seed());
    report.publishEntry(plan.figures());
    String file = folder.resolve("semel.db").toString();
    String ledger = folder.resolve("ledger").toString();
    try (NatsService service = NatsService.start();
        SqliteStore store = SqliteStore.open(Path.of(file), InstantSource.system());
        JetStreamJobs jobs = jobs(service.url());
        PlainLedger world = new PlainLedger(jobs, store, Path.of(ledger))) {
      JobKillHarness.run(plan, world, Worker.class, folder, false, service.url(), file, ledger);
    }
  }
}
