package dev.semel.jdbc;

import dev.semel.tck.EffectLog;
import dev.semel.tck.KillHarness;
import java.nio.file.Path;
import java.time.InstantSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Processes on one SQLite file are killed at random; no effect goes unaccounted for. */
class SqliteKillTest {
  private static final int BYTES_PER_EFFECT = 30;

  @TempDir Path folder;

  /** One child. */
  static final class Worker {
    private Worker() {}

    public static void main(String[] arguments) {
      try (SqliteStore store = SqliteStore.open(Path.of(arguments[0]), InstantSource.system())) {
        KillHarness.hammer(
            store,
            store,
            new EffectLog(Path.of(arguments[1])),
            KillHarness.keys(Integer.parseInt(arguments[2])));
      }
    }
  }

  @Test
  void everySecondEffectIsAReportedTakeover() {
    run(4, 400, 1);
  }

  @Test
  @Tag("proof")
  void everySecondEffectIsAReportedTakeoverOverManyKills() {
    run(150, 20_000, System.nanoTime());
  }

  private void run(int rounds, int keys, long seed) {
    Path database = folder.resolve("semel.db");
    EffectLog effects = new EffectLog(folder.resolve("effects"));
    new KillHarness(
            Worker.class,
            folder.resolve("log"),
            effects::bytes,
            database.toString(),
            folder.resolve("effects").toString(),
            Integer.toString(keys))
        .run(rounds, BYTES_PER_EFFECT * keys / rounds, seed);
    try (SqliteStore store = SqliteStore.open(database, InstantSource.system())) {
      KillHarness.check(store, effects, KillHarness.keys(keys));
    }
  }
}
