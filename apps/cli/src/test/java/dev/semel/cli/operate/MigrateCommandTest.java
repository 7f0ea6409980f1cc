package dev.semel.cli.operate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.semel.FirstExecution;
import dev.semel.Key;
import dev.semel.Token;
import dev.semel.cli.Cli;
import dev.semel.cli.ExitCode;
import dev.semel.cli.MovedRecords;
import dev.semel.cli.MovingLoad;
import dev.semel.cli.Records;
import dev.semel.cli.SemelProcess;
import dev.semel.idempotency.Fingerprint;
import dev.semel.idempotency.Payload;
import dev.semel.idempotency.spi.KeyEntry;
import dev.semel.idempotency.spi.RecordImport;
import dev.semel.idempotency.spi.RecordState;
import dev.semel.idempotency.spi.Store;
import dev.semel.idempotency.spi.StoredRecord;
import dev.semel.jdbc.SqliteStore;
import dev.semel.json.JsonValue;
import dev.semel.json.JsonValue.JsonObject;
import dev.semel.tck.Racers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MigrateCommandTest {
  private static final String FROM = "sqlite:from.db";
  private static final String TO = "sqlite:to.db";

  /** More than one read returns, so that a run can be ended between two pages. */
  private static final int MANY = 5500;

  private static final int RACERS = 500;

  @TempDir Path folder;

  private Cli cli() {
    return new Cli(folder);
  }

  private Cli.Result migrate(String... more) {
    return cli()
        .call(
            Stream.concat(
                    Stream.of("migrate", "--from", FROM, "--to", TO, "-o", "json"), Stream.of(more))
                .toArray(String[]::new));
  }

  private Cli.Result run(String store, String key, String word) {
    return cli().call("run", "--key", key, "--store", store, "--", "echo", word);
  }

  private static long number(Cli.Result result, String name) {
    return MovedRecords.number(result.json(), name);
  }

  @Test
  void recordsAndSettingsArrive() {
    run(FROM, "report:1", "one");
    run(FROM, "report:2", "two");
    cli().call("queues", "set", "report", "retention=48h", "--store", FROM);

    Cli.Result moved = migrate();
    assertThat(moved.code()).as(moved.err()).isZero();
    assertThat(number(moved, "copied")).isEqualTo(2);
    assertThat(settings(moved, "copied")).isEqualTo(1);
    assertThat(run(TO, "report:1", "one").out()).isEqualTo("one\n");
    assertThat(run(TO, "report:1", "one").err()).contains("replayed");
    assertThat(cli().call("queues", "list", "--store", TO, "-o", "json").out()).contains("48h");
    assertThat(cli().call("audit", "list", "--store", TO, "--all").out()).contains("migrate");

    Cli.Result again = migrate();
    assertThat(number(again, "already_there")).isEqualTo(2);
    assertThat(number(again, "copied")).isZero();
    assertThat(settings(again, "already_there")).isEqualTo(1);
  }

  private static long settings(Cli.Result result, String name) {
    JsonValue settings = result.json().get("settings").orElseThrow();
    return MovedRecords.number((JsonObject) settings, name);
  }

  @Test
  void dryRunCountsAndWritesNothing() {
    run(FROM, "report:1", "one");
    Cli.Result dry = migrate("--dry-run");
    assertThat(dry.code()).as(dry.err()).isZero();
    assertThat(number(dry, "copied")).isEqualTo(1);
    assertThat(dry.out()).contains("a new SQLite file");
    assertThat(folder.resolve("to.db")).doesNotExist();
    assertThat(folder.resolve("data/migrations")).doesNotExist();

    run(TO, "report:9", "nine");
    assertThat(number(migrate("--dry-run"), "copied")).isEqualTo(1);
    assertThat(cli().call("keys", "list", "--store", TO, "-o", "plain").out())
        .contains("report:9")
        .doesNotContain("report:1");
  }

  @Test
  void whatDiffersStaysIsListedAndEndsWithConflict() {
    run(FROM, "report:1", "one");
    run(TO, "report:1", "one");
    cli().call("queues", "set", "report", "retention=48h", "--store", FROM);
    cli().call("queues", "set", "report", "retention=96h", "--store", TO);
    Cli.Result moved = migrate();
    assertThat(moved.code()).isEqualTo(ExitCode.CONFLICT);
    assertThat(number(moved, "differing")).isEqualTo(1);
    assertThat(moved.out()).contains("\"differing_keys\":[\"default/report:1\"]");
    assertThat(cli().call("queues", "list", "--store", TO, "-o", "json").out()).contains("96h");
    assertThat(cli().call("migrate", "--from", FROM, "--to", TO).out())
        .contains("differs: key default/report:1", "differs: settings of report");
  }

  @Test
  void recordsThatEndedAreNotBrought() {
    Records.claimed(
        folder.resolve("from.db"), Key.of("a", "b"), Duration.ofHours(2), Duration.ofHours(1));
    Records.completed(folder.resolve("from.db"), Key.of("a", "c"), Payload.EMPTY);
    Cli.Result moved = migrate();
    assertThat(number(moved, "read")).isEqualTo(1);
    assertThat(number(moved, "copied")).isEqualTo(1);
  }

  @Test
  void misuseIsToldBeforeAnythingIsOpened() {
    assertThat(migrate().code()).as("no such file").isEqualTo(ExitCode.USAGE);
    assertThat(folder.resolve("from.db")).doesNotExist();
    assertThat(folder.resolve("to.db")).doesNotExist();
    assertThat(cli().call("migrate", "--to", TO).code()).isEqualTo(ExitCode.USAGE);
    assertThat(cli().call("migrate", "--from", FROM).code()).isEqualTo(ExitCode.USAGE);
    assertThat(cli().call("migrate", "--from", "memory:", "--to", TO).code())
        .isEqualTo(ExitCode.USAGE);
    run(FROM, "report:1", "one");
    assertThat(cli().call("migrate", "--from", FROM, "--to", FROM).code())
        .isEqualTo(ExitCode.USAGE);
    assertThat(migrate("--store", FROM).code()).isEqualTo(ExitCode.USAGE);
  }

  @Test
  void passwordsAreNotShown() {
    run(FROM, "report:1", "one");
    Cli.Result refused =
        cli().call("migrate", "--from", FROM, "--to", "postgresql://me:secret@127.0.0.1:1/db");
    assertThat(refused.code()).isEqualTo(ExitCode.UNREACHABLE);
    assertThat(refused.out() + refused.err()).doesNotContain("secret");
  }

  @Test
  void killedRunGoesOnWhereItWas() throws Exception {
    fill();
    SemelProcess process =
        SemelProcess.start(folder, "migrate", "--from", FROM, "--to", TO, "-o", "json");
    await().pollInterval(Duration.ofMillis(5)).until(this::hasPlace);
    process.kill();

    Cli.Result resumed = migrate();
    assertThat(resumed.code()).as(resumed.err()).isZero();
    assertThat(resumed.err()).contains("going on after the");
    MovedRecords.assertAddsUp(resumed.json());
    assertThat(number(resumed, "read")).isEqualTo(MANY);
    assertThat(number(resumed, "copied") + number(resumed, "already_there")).isEqualTo(MANY);
    assertThat(hasPlace()).as("a run that is through leaves no place").isFalse();
    try (Store source = open("from.db");
        Store target = open("to.db")) {
      assertThat(MovedRecords.assertAllThere(source, target, "")).hasSize(MANY);
    }
    Cli.Result anew = migrate();
    assertThat(anew.err()).doesNotContain("going on");
    assertThat(number(anew, "already_there")).isEqualTo(MANY);
  }

  private boolean hasPlace() throws IOException {
    Path places = folder.resolve("data/migrations");
    if (!Files.exists(places)) {
      return false;
    }
    try (Stream<Path> files = Files.list(places)) {
      return files.anyMatch(file -> file.toString().endsWith(".json"));
    }
  }

  private SqliteStore open(String file) {
    return SqliteStore.open(folder.resolve(file), InstantSource.system());
  }

  private void fill() {
    try (Store store = open("from.db")) {
      Racers.onVirtualThreads(
          RACERS,
          racer -> {
            for (int i = racer; i < MANY; i += RACERS) {
              Key key = Key.of("orders", "order-" + i);
              assertThat(store.catalog().adopt(new KeyEntry(key, completed(key))))
                  .isEqualTo(RecordImport.COPIED);
            }
            return racer;
          });
    }
  }

  private static StoredRecord completed(Key key) {
    return new StoredRecord(
        RecordState.COMPLETED,
        Token.draw(),
        Fingerprint.of(key.text()),
        Duration.ZERO,
        MovingLoad.response(key),
        new FirstExecution("", 1, Duration.ofMinutes(1), Duration.ofHours(10)));
  }
}
