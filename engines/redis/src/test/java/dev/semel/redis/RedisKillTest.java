package dev.semel.redis;

import dev.semel.junit.proof.ProofRun;
import dev.semel.proof.fault.KillHarness;
import dev.semel.proof.fault.KillHarness.Kills;
import dev.semel.testservices.RedisService;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.io.TempDir;

/** Processes on one Redis are killed at random; no effect goes unaccounted for. */
class RedisKillTest {
  @TempDir Path folder;

  /** One child. */
  static final class Worker {
    private Worker() {}

    public static void main(String[] arguments) {
      try (RedisStore store = RedisStore.open(arguments[0])) {
        KillHarness.hammer(store, arguments);
      }
    }
  }

  @Test
  @Tag("service")
  void everySecondEffectIsAReportedTakeover() {
    run(Kills.FEW);
  }

  @Test
  @Tag("proof")
  void everySecondEffectIsAReportedTakeoverOverManyKills(TestReporter report) {
    Kills many = Kills.many(ProofRun.volume(60, 600), ProofRun.seed());
    report.publishEntry(many.figures());
    run(many);
  }

  /** A separate server, because the harness chooses the keys. */
  private void run(Kills kills) {
    try (RedisService service = RedisService.start();
        RedisStore store = RedisStore.open(service.url())) {
      KillHarness.killInLeaseMode(Worker.class, service.url(), store.idempotency(), folder, kills);
    }
  }
}
