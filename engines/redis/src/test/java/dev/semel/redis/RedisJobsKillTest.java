package dev.semel.redis;

import dev.semel.junit.proof.ProofRun;
import dev.semel.proof.fault.JobKillHarness;
import dev.semel.proof.fault.JobKillHarness.Plan;
import dev.semel.proof.fault.PlainLedger;
import dev.semel.testservices.RedisService;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.io.TempDir;

/** Workers on one Redis are killed and stopped; every second effect is a reported takeover. */
class RedisJobsKillTest {
  @TempDir Path folder;

  /** One child. */
  static final class Worker {
    private Worker() {}

    public static void main(String[] arguments) throws IOException {
      try (RedisStore store = RedisStore.open(arguments[0])) {
        JobKillHarness.work(world(store, arguments[1]));
      }
    }
  }

  private static PlainLedger world(RedisStore store, String ledger) {
    return new PlainLedger(RedisJobs.on(store), store, Path.of(ledger));
  }

  @Test
  @Tag("service")
  void everySecondEffectIsAReportedTakeover() {
    run(Plan.GATE);
  }

  @Test
  @Tag("proof")
  void everySecondEffectIsAReportedTakeoverOverManyJobs(TestReporter report) {
    Plan plan = Plan.proof(ProofRun.volume(100_000, 1_000_000), ProofRun.seed());
    report.publishEntry(plan.figures());
    run(plan);
  }

  private void run(Plan plan) {
    String ledger = folder.resolve("ledger").toString();
    try (RedisService service = RedisService.start();
        RedisStore store = RedisStore.open(service.url());
        PlainLedger world = world(store, ledger)) {
      JobKillHarness.run(plan, world, Worker.class, folder, false, service.url(), ledger);
    }
  }
}
