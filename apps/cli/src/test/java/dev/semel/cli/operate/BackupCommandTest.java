package dev.semel.cli.operate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.semel.Key;
import dev.semel.cli.Cli;
import dev.semel.cli.ExitCode;
import dev.semel.cli.MovedRecords;
import dev.semel.cli.MovingLoad;
import dev.semel.cli.SemelProcess;
import dev.semel.idempotency.spi.Store;
import dev.semel.idempotency.spi.StoredRecord;
import dev.semel.jdbc.SqliteStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BackupCommandTest {
  private static final int KEYS = 100;

  @TempDir Path folder;

  private Cli cli() {
    return new Cli(folder);
  }

  private Cli restored(String name) {
    return cli().with("SEMEL_DATA", folder.resolve(name).toString());
  }

  private void use() {
    cli().call("run", "--key", "report:1", "--", "echo", "one");
    cli().reading("a\nb\n").call("streams", "append", "orders", "--create");
  }

  @Test
  void restoredFolderHoldsWhatWasThere() {
    use();
    Cli.Result made = cli().call("backup", "monday");
    assertThat(made.code()).as(made.err()).isZero();
    assertThat(made.out()).contains("1 records", "1 files of streams");
    assertThat(cli().call("backup", "--verify", "monday").code()).isZero();

    assertThat(restored("monday").call("run", "--key", "report:1", "--", "echo", "one").err())
        .contains("replayed");
    assertThat(restored("monday").call("streams", "read", "orders").out()).isEqualTo("a\nb\n");
    restored("monday").reading("c\n").call("streams", "append", "orders");
    assertThat(restored("monday").call("streams", "read", "orders").out()).isEqualTo("a\nb\nc\n");
    assertThat(cli().call("streams", "read", "orders").out()).isEqualTo("a\nb\n");
  }

  @Test
  void nothingIsOverwritten() throws IOException {
    use();
    Files.createDirectory(folder.resolve("monday"));
    Cli.Result refused = cli().call("backup", "monday");
    assertThat(refused.code()).isEqualTo(ExitCode.CONFLICT);
    try (Stream<Path> there = Files.list(folder.resolve("monday"))) {
      assertThat(there).isEmpty();
    }
    assertThat(unfinished()).isZero();
  }

  @Test
  void whatIsNotThereIsNeitherMadeNorCopied() {
    assertThat(cli().call("backup", "monday").code()).isEqualTo(ExitCode.USAGE);
    assertThat(folder.resolve("data")).doesNotExist();
    assertThat(folder.resolve("monday")).doesNotExist();
    assertThat(cli().call("backup", "--verify", "monday").code()).isEqualTo(ExitCode.NOT_FOUND);
  }

  @Test
  void damageIsFound() throws IOException {
    use();
    cli().call("backup", "monday");
    Path data;
    try (Stream<Path> all = Files.walk(folder.resolve("monday/streams"))) {
      data = all.filter(file -> file.toString().endsWith(".data")).findFirst().orElseThrow();
    }
    Files.writeString(data, "x", StandardOpenOption.WRITE);
    Cli.Result damaged = cli().call("backup", "--verify", "monday", "-o", "json");
    assertThat(damaged.code()).isEqualTo(ExitCode.FAILED);
    assertThat(damaged.out()).contains("\"whole\":false", "is not what it was");
    Files.delete(data);
    assertThat(cli().call("backup", "--verify", "monday").out()).contains("is missing");
  }

  @Test
  void listThatWasCutOffOrIsNoneIsDamageToo() throws IOException {
    use();
    cli().call("backup", "monday");
    Path list = folder.resolve("monday/SHA256SUMS");
    List<String> lines = Files.readAllLines(list);

    Files.write(list, lines.subList(0, 1));
    Cli.Result shortened = cli().call("backup", "--verify", "monday");
    assertThat(shortened.code()).isEqualTo(ExitCode.FAILED);
    assertThat(shortened.out()).startsWith("damaged").contains("is not in the list");

    Files.write(list, new byte[] {'\n', (byte) 0xff, ' ', ' ', 0, '\n'});
    Cli.Result garbled = cli().call("backup", "--verify", "monday");
    assertThat(garbled.code()).isEqualTo(ExitCode.FAILED);
    assertThat(garbled.err()).isEmpty();
    assertThat(garbled.out()).startsWith("damaged").contains("names no file of the backup");

    Files.write(list, lines);
    assertThat(cli().call("backup", "--verify", "monday").out()).isEqualTo("whole\n");
  }

  /** The backup has every key that was done before; everything in it is complete. */
  @Test
  void underLoadEveryKeyIsAccountedFor() throws Exception {
    Map<Key, Integer> effects = new ConcurrentHashMap<>();
    try (Store store = SqliteStore.open(cli().database(), InstantSource.system());
        MovingLoad load = MovingLoad.start(store, "shop", KEYS, effects, 21)) {
      await().until(() -> load.steps() > 50);
      Map<Key, StoredRecord> before = new HashMap<>(MovedRecords.all(store, "shop/"));
      Cli.Result made = cli().call("backup", "monday");
      assertThat(made.code()).as(made.err()).isZero();
      long during = load.steps();
      await().until(() -> load.steps() > during);
      load.stop();
      try (Store copy =
          SqliteStore.open(folder.resolve("monday/semel.db"), InstantSource.system())) {
        Map<Key, StoredRecord> there = MovedRecords.all(copy, "shop/");
        assertThat(there.keySet()).containsAll(before.keySet());
        before.forEach(
            (key, record) -> {
              if (record.state().ended()) {
                StoredRecord copied = Objects.requireNonNull(there.get(key));
                assertThat(copied.token()).isEqualTo(record.token());
                assertThat(copied.payload()).isEqualTo(record.payload());
              }
            });
      }
    }
  }

  @Test
  void killedBackupLeavesNothingThatLooksWhole() throws Exception {
    use();
    SemelProcess process = SemelProcess.start(folder, "backup", "monday");
    await().pollInterval(Duration.ofMillis(2)).until(() -> unfinished() > 0 || !process.isAlive());
    process.kill();
    if (Files.exists(folder.resolve("monday"))) {
      // It was done before the kill: then it must be complete.
      assertThat(cli().call("backup", "--verify", "monday").code()).isZero();
    } else {
      assertThat(cli().call("backup", "--verify", "monday").code()).isEqualTo(ExitCode.NOT_FOUND);
      assertThat(cli().call("backup", "monday").code()).isZero();
    }
  }

  private long unfinished() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.filter(file -> file.toString().contains(".unfinished-")).count();
    }
  }
}
