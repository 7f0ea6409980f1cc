package dev.semel.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.semel.Key;
import dev.semel.idempotency.spi.Store;
import dev.semel.idempotency.spi.StoredRecord;
import dev.semel.jdbc.SqliteStore;
import dev.semel.junit.proof.ProofRun;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.io.TempDir;

/** Backups that are killed at any moment while applications write: complete, or not there. */
@Tag("proof")
class BackupLongTest {
  private static final Duration PATIENCE = Duration.ofMinutes(5);
  private static final int ROUNDS = ProofRun.volume(20, 200);
  private static final int KEYS = 20_000;
  private static final int STEPS = 300;

  @TempDir Path folder;

  @Test
  void whatHasItsNameIsWholeWhateverWasKilled(TestReporter report) throws Exception {
    long seed = ProofRun.seed();
    report.publishEntry("seed", "" + seed);
    Random random = new Random(seed);
    Cli cli = new Cli(folder);
    cli.reading("a\nb\n").call("streams", "append", "orders", "--create");
    Map<Key, Integer> effects = new ConcurrentHashMap<>();
    int whole = 0;
    int killed = 0;
    try (Store store = SqliteStore.open(cli.database(), InstantSource.system());
        MovingLoad load = MovingLoad.start(store, "shop", KEYS, effects, seed)) {
      for (int round = 0; round < ROUNDS; round++) {
        Map<Key, StoredRecord> before = MovedRecords.all(store, "shop/");
        String name = "copy" + round;
        long until = load.steps() + random.nextInt(STEPS);
        SemelProcess process = SemelProcess.start(folder, "backup", name);
        boolean patient = round % 4 == 3;
        await()
            .atMost(PATIENCE)
            .until(() -> !process.isAlive() || (!patient && load.steps() >= until));
        killed += process.isAlive() ? 1 : 0;
        process.kill();
        if (Files.exists(folder.resolve(name))) {
          whole++;
          check(cli, name, before);
        }
      }
      load.stop();
    }
    report.publishEntry(Map.of("kills", "" + killed, "backups", "" + whole));
    assertThat(killed).as("seed %d", seed).isPositive();
    assertThat(whole).as("seed %d", seed).isPositive();
  }

  private void check(Cli cli, String name, Map<Key, StoredRecord> before) {
    assertThat(cli.call("backup", "--verify", name).code()).isZero();
    Cli restored = new Cli(folder).with("SEMEL_DATA", folder.resolve(name).toString());
    assertThat(restored.call("streams", "read", "orders").out()).isEqualTo("a\nb\n");
    try (Store copy =
        SqliteStore.open(folder.resolve(name).resolve("semel.db"), InstantSource.system())) {
      assertThat(MovedRecords.all(copy, "shop/").keySet()).containsAll(before.keySet());
    }
  }
}
