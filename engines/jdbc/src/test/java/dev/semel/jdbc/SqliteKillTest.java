package dev.semel.jdbc;

import dev.semel.junit.proof.ProofRun;
import dev.semel.proof.fault.KillHarness;
import dev.semel.proof.fault.KillHarness.Kills;
import java.nio.file.Path;
import java.time.InstantSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.io.TempDir;

/** Processes on one SQLite file are killed at random; no effect goes unaccounted for. */
class SqliteKillTest {
  @TempDir Path folder;

  /** One child. */
  static final class Worker {
    private Worker() {}

    public static void main(String[] arguments) {
      try (SqliteStore store = SqliteStore.open(Path.of(arguments[0]), InstantSource.system())) {
        KillHarness.hammer(store, arguments);
      }
    }
  }

  @Test
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

  private void run(Kills kills) {
    Path database = folder.resolve("semel.db");
    try (SqliteStore store = SqliteStore.open(database, InstantSource.system())) {
      KillHarness.killInLeaseMode(Worker.class, database.toString(), store, folder, kills);
    }
  }
}
