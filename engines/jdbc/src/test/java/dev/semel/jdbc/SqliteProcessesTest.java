package dev.semel.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Key;
import dev.semel.proof.fault.ChildJvm;
import dev.semel.proof.fault.EffectLog;
import dev.semel.proof.fault.KillHarness;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Several processes on one file, from its creation on. */
final class SqliteProcessesTest {
  private static final int KEYS = 60;

  @TempDir Path folder;

  /** A child: executes every key until all are done. */
  static final class Worker {
    private Worker() {}

    public static void main(String[] args) {
      Path folder = Path.of(args[0]);
      try (SqliteStore store =
          SqliteStore.open(folder.resolve("semel.db"), InstantSource.system())) {
        KillHarness.hammer(
            store,
            new EffectLog(folder.resolve("effects")),
            KillHarness.keys(Integer.parseInt(args[1])));
      }
    }
  }

  private EffectLog effects() {
    return new EffectLog(folder.resolve("effects"));
  }

  private void check(List<Key> keys) {
    try (SqliteStore store = SqliteStore.open(folder.resolve("semel.db"), InstantSource.system())) {
      KillHarness.check(store, effects(), keys);
    }
  }

  @Test
  void fourProcessesCreateTheFileTogetherAndRunEachKeyOnce() throws SQLException {
    List<ChildJvm> workers =
        IntStream.range(0, 4)
            .mapToObj(
                i ->
                    ChildJvm.start(
                        Worker.class,
                        folder.resolve("log" + i),
                        folder.toString(),
                        Integer.toString(KEYS)))
            .toList();
    try {
      workers.forEach(ChildJvm::awaitSuccess);
    } finally {
      workers.forEach(ChildJvm::close);
    }
    check(KillHarness.keys(KEYS));
    try (RawSqlite raw = new RawSqlite(folder.resolve("semel.db"))) {
      assertThat(raw.number("SELECT count(*) FROM semel_schema")).isEqualTo(2);
    }
  }
}
