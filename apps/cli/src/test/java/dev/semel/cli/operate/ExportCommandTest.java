package dev.semel.cli.operate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.FirstExecution;
import dev.semel.Key;
import dev.semel.cli.Cli;
import dev.semel.cli.Environment;
import dev.semel.cli.ExitCode;
import dev.semel.cli.SemelCommand;
import dev.semel.cli.StandardStreams;
import dev.semel.event.Event;
import dev.semel.event.spi.EventSink;
import dev.semel.jdbc.SqliteStore;
import dev.semel.json.Json;
import dev.semel.json.JsonValue;
import dev.semel.json.JsonValue.JsonArray;
import dev.semel.json.JsonValue.JsonObject;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExportCommandTest {
  @TempDir Path folder;
  private Cli cli;

  @BeforeEach
  void start() {
    cli = new Cli(folder);
    cli.call("run", "--key", "job:=1+1", "--", "true");
    cli.call("run", "--key", "job:a,\"b\"", "--", "true");
    cli.call("run", "--key", "job:a,\"b\"", "--", "true");
  }

  private static List<JsonValue> items(Cli.Result result, String name) {
    return ((JsonArray) result.json().get(name).orElseThrow()).items();
  }

  @Test
  void keysAsJsonLinesOrCsv() {
    assertThat(items(cli.call("export", "keys"), "keys"))
        .extracting(key -> ((JsonObject) key).get("id").orElseThrow())
        .containsExactlyInAnyOrder(JsonValue.of("=1+1"), JsonValue.of("a,\"b\""));
    assertThat(cli.call("export", "keys", "--format", "jsonl").out().lines())
        .hasSize(2)
        .allMatch(line -> Json.parse(line) instanceof JsonObject);
    String csv = cli.call("export", "keys", "--format", "csv").out();
    assertThat(csv.split("\r\n", -1)).hasSize(4).endsWith("");
    assertThat(csv)
        .startsWith("key,tenant,operation,id,state,attempt,")
        .contains("default/job:=1+1,default,job,'=1+1,completed,1,")
        .contains("\"default/job:a,\"\"b\"\"\",default,job,\"a,\"\"b\"\"\",completed,1,");
  }

  @Test
  void eventsWithTheirChainAndMaskedIfAskedFor() {
    List<JsonValue> events = items(cli.call("export", "events"), "events");
    assertThat(events).hasSize(5);
    assertThat(((JsonObject) events.getFirst()).members().keySet())
        .containsExactly(
            "at",
            "kind",
            "tenant",
            "operation",
            "id",
            "erased",
            "details",
            "personal",
            "writer",
            "number",
            "hash");
    assertThat(cli.call("export", "events", "--mask").out()).doesNotContain("1+1");
    assertThat(cli.call("export", "events", "--format", "csv").out())
        .startsWith("at,kind,")
        .contains(",claimed,default,job,'=1+1,false,\"{\"\"attempt\"\":1}\",");
    assertThat(cli.call("export", "keys", "--mask").code()).isEqualTo(ExitCode.USAGE);
  }

  @Test
  void countsWithTheAgesOfDuplicates() {
    JsonObject row = (JsonObject) items(cli.call("export", "stats"), "stats").getFirst();
    assertThat(row.get("requests")).contains(JsonValue.of(3));
    assertThat(row.get("age_1s").isPresent()).isTrue();
    String csv = cli.call("export", "stats", "--format", "csv").out();
    assertThat(csv.lines().findFirst().orElseThrow())
        .startsWith("tenant,operation,requests,executed,duplicates,")
        .endsWith(",age_30d,age_older,details");
    assertThat(csv.lines().skip(1).findFirst().orElseThrow()).startsWith("default,job,3,2,1,1,");
  }

  @Test
  void aFileIsReplacedOnlyIfThatIsWanted() throws IOException {
    Path file = folder.resolve("keys.csv");
    Cli.Result first = cli.call("export", "keys", "--format", "csv", "--file", "keys.csv");
    assertThat(first.code()).isZero();
    assertThat(first.out()).isEmpty();
    assertThat(first.err()).contains("2 keys");
    String before = Files.readString(file);
    assertThat(before).startsWith("key,tenant,");

    Cli.Result refused = cli.call("export", "keys", "--file", "keys.csv");
    assertThat(refused.code()).isEqualTo(ExitCode.USAGE);
    assertThat(refused.err()).contains("replace keys.csv", "-y");
    assertThat(file).hasContent(before);

    assertThat(cli.call("export", "keys", "--file", "keys.csv", "-y").code()).isZero();
    assertThat(Files.readString(file)).startsWith("{\"keys\":[");
    assertNothingUnfinished();
  }

  @Test
  void whatFailsLeavesNoFileBehind() throws IOException {
    Cli.Result away =
        cli.call("export", "keys", "--file", "k.json", "--store", "mariadb://u@127.0.0.1:1/d");
    assertThat(away.code()).isEqualTo(ExitCode.UNREACHABLE);
    assertThat(folder.resolve("k.json")).doesNotExist();
    assertThat(cli.call("export", "keys", "--file", "no/such/folder/k.json").code())
        .isEqualTo(ExitCode.USAGE);
    assertNothingUnfinished();
  }

  private void assertNothingUnfinished() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      assertThat(files.map(file -> file.getFileName().toString()))
          .noneMatch(name -> name.endsWith(".unfinished"));
    }
  }

  /** Runs an action at the hundredth write. */
  private static final class Noticing extends OutputStream {
    private final ByteArrayOutputStream written = new ByteArrayOutputStream();
    private final Runnable then;
    private int times;

    Noticing(Runnable then) {
      this.then = then;
    }

    @Override
    public void write(int b) {
      write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int from, int count) {
      written.write(bytes, from, count);
      if (++times == 100) {
        then.run();
      }
    }
  }

  private int exportTo(OutputStream out) {
    PrintStream nowhere =
        new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8);
    return SemelCommand.execute(
        new Environment(
            Map.of("SEMEL_DATA", folder.resolve("data").toString()),
            folder,
            new StandardStreams(
                InputStream.nullInputStream(),
                new PrintStream(out, false, StandardCharsets.UTF_8),
                nowhere,
                "")),
        "export",
        "events",
        "--format",
        "jsonl");
  }

  private static void report(SqliteStore store, int seconds) {
    EventSink sink = new EventSink(store.events(), InstantSource.system(), key -> false);
    FirstExecution first = new FirstExecution("", 1, Duration.ofSeconds(1), Duration.ofHours(1));
    for (int second = 0; second < seconds; second++) {
      for (int i = 0; i < EventSink.MAX_NOTABLE; i++) {
        sink.on(new Event.Replayed(Key.of("payments", "order-" + i), "", first));
      }
      sink.flush();
    }
  }

  @Test
  void logThatGrowsMeanwhileIsExportedUpToWhereItEnded() {
    try (SqliteStore store = SqliteStore.open(cli.database(), InstantSource.system())) {
      report(store, 3);
      long before = store.events().latest(1).getFirst().number();
      Noticing out = new Noticing(() -> report(store, 3));

      assertThat(exportTo(out)).isZero();

      assertThat(out.written.toString(StandardCharsets.UTF_8).lines())
          .hasSize(5 + 3 * EventSink.MAX_NOTABLE)
          .last()
          .asString()
          .contains("\"number\":" + before);
    }
  }

  @Test
  void exportThatIsNotWholeIsNoSuccess() {
    OutputStream full =
        new OutputStream() {
          @Override
          public void write(int b) throws IOException {
            throw new IOException("no space left on device");
          }
        };

    assertThat(exportTo(full)).isEqualTo(ExitCode.FAILED);
  }

  @Test
  void onlyWhatThereIsCanBeExported() {
    Cli.Result unknown = cli.call("export", "secrets");
    assertThat(unknown.code()).isEqualTo(ExitCode.USAGE);
    assertThat(unknown.err()).contains("keys, events, stats");
    assertThat(cli.call("export", "keys", "--format", "xml").err()).contains("json, jsonl, csv");
    assertThat(cli.call("export", "keys", "-o", "json").code()).isEqualTo(ExitCode.USAGE);
    assertThat(cli.call("export").code()).isEqualTo(ExitCode.USAGE);
  }
}
