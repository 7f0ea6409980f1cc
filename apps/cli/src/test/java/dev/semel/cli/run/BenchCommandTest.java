package dev.semel.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.cli.Cli;
import dev.semel.cli.ExitCode;
import dev.semel.json.JsonValue;
import dev.semel.json.JsonValue.JsonArray;
import dev.semel.json.JsonValue.JsonNumber;
import dev.semel.json.JsonValue.JsonObject;
import java.nio.file.Path;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BenchCommandTest {
  @TempDir Path folder;

  private static long number(JsonObject object, String name) {
    return ((JsonNumber) object.get(name).orElseThrow()).value().longValue();
  }

  @Test
  void allKindsAreMeasuredAndTheStoreIsLeftAsItWas() {
    Cli cli = new Cli(folder);
    cli.call("run", "--key", "job:1", "--", "true");
    String events = cli.call("audit", "list", "-o", "jsonl").out();
    String stats = cli.call("stats", "-o", "plain").out();

    Cli.Result bench = cli.call("bench", "--seconds", "1", "--threads", "2", "-o", "json");

    assertThat(bench.code()).isZero();
    JsonArray measures = (JsonArray) bench.json().get("measures").orElseThrow();
    assertThat(measures.items())
        .extracting(each -> ((JsonObject) each).get("what").orElseThrow())
        .containsExactly(JsonValue.of("bare"), JsonValue.of("first"), JsonValue.of("replay"));
    for (JsonValue each : measures.items()) {
      JsonObject measure = (JsonObject) each;
      assertThat(number(measure, "count")).isPositive();
      assertThat(number(measure, "p50_us")).isLessThanOrEqualTo(number(measure, "p99_us"));
      assertThat(number(measure, "p99_us")).isLessThanOrEqualTo(number(measure, "max_us"));
    }
    assertThat(number(bench.json(), "keys_deleted"))
        .isEqualTo(number((JsonObject) measures.items().get(1), "count"));
    assertThat(cli.call("keys", "list", "--all", "-o", "jsonl").out()).hasLineCount(1);
    assertThat(cli.call("audit", "list", "-o", "jsonl").out()).isEqualTo(events);
    // Bytes may differ, because a file does not shrink.
    assertThat(cli.call("stats", "-o", "plain").out().lines().filter(l -> !l.startsWith("bytes")))
        .containsExactlyElementsOf(
            stats.lines().filter(line -> !line.startsWith("bytes")).toList());
  }

  @Test
  void aTableIsForPeople() {
    Cli.Result bench =
        new Cli(folder).call("bench", "--seconds", "1", "--threads", "1", "--store", "memory:");
    assertThat(bench.out().lines())
        .anyMatch(line -> line.matches("WHAT +COUNT +PER SECOND +P50 µs +P90 µs +P99 µs +MAX µs"))
        .anyMatch(line -> line.matches("first execution( +\\d+){6}"))
        .anyMatch(line -> line.contains("keys were written and deleted again"));
    assertThat(new Cli(folder).call("bench", "--threads", "0").code()).isEqualTo(ExitCode.USAGE);
    assertThat(new Cli(folder).call("bench", "--store", "mariadb://u@127.0.0.1:1/d").code())
        .isEqualTo(ExitCode.UNREACHABLE);
  }

  @Test
  void percentilesAreNeverTooSmallAndAtMostASixteenthTooLarge() {
    RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(11);
    for (int round = 0; round < 200; round++) {
      long[] values = random.longs(101, 1, 1L << random.nextInt(1, 50)).sorted().toArray();
      LatencyHistogram latencies = new LatencyHistogram();
      LatencyHistogram others = new LatencyHistogram();
      for (int i = 0; i < values.length; i++) {
        (i % 2 == 0 ? latencies : others).add(values[i]);
      }
      latencies.add(others);
      assertThat(latencies.count()).isEqualTo(101);
      assertThat(latencies.longest()).isEqualTo(values[100]);
      long median = values[50];
      assertThat(latencies.percentile(50)).isBetween(median, median + median / 16);
      assertThat(latencies.percentile(100)).isEqualTo(values[100]);
    }
    assertThat(new LatencyHistogram().percentile(50)).isZero();
  }
}
