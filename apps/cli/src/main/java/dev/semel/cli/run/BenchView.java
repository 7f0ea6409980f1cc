package dev.semel.cli.run;

import dev.semel.cli.OutputFormat;
import dev.semel.cli.TextTable;
import dev.semel.json.Json;
import dev.semel.json.JsonObjectBuilder;
import dev.semel.json.JsonValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Renders the result of a load. */
record BenchView(String store, int threads, List<StoreBench.Measure> measures, long keys) {
  private static final double[] PERCENTILES = {50, 90, 99};

  List<String> lines(OutputFormat format) {
    return switch (format) {
      case TABLE -> table();
      case JSON -> List.of(json().write());
      case JSONL -> measures.stream().map(measure -> json(measure).write()).toList();
      case PLAIN -> measures.stream().map(BenchView::plain).toList();
    };
  }

  static String word(StoreBench.Kind kind) {
    return switch (kind) {
      case BARE -> "bare read";
      case FIRST -> "first execution";
      case REPLAY -> "replay";
    };
  }

  private List<String> table() {
    TextTable table =
        new TextTable("WHAT", "COUNT", "PER SECOND", "P50 µs", "P90 µs", "P99 µs", "MAX µs");
    for (StoreBench.Measure measure : measures) {
      table.row(
          List.of(
              word(measure.kind()),
              Long.toString(measure.latencies().count()),
              Long.toString(Math.round(measure.perSecond())),
              Long.toString(micros(measure, PERCENTILES[0])),
              Long.toString(micros(measure, PERCENTILES[1])),
              Long.toString(micros(measure, PERCENTILES[2])),
              Long.toString(measure.latencies().longest() / 1000)));
    }
    List<String> lines = new ArrayList<>(table.lines());
    lines.add("");
    lines.add(
        "%d threads of this machine on %s; %d keys were written and deleted again."
            .formatted(threads, store, keys));
    lines.add(
        "A first execution is two calls of the store, a replay one, without any work between.");
    return lines;
  }

  private static long micros(StoreBench.Measure measure, double percent) {
    return measure.latencies().percentile(percent) / 1000;
  }

  private static String plain(StoreBench.Measure measure) {
    return String.join(
        "\t",
        measure.kind().name().toLowerCase(Locale.ROOT),
        Long.toString(measure.latencies().count()),
        Long.toString(Math.round(measure.perSecond())),
        Long.toString(micros(measure, PERCENTILES[0])),
        Long.toString(micros(measure, PERCENTILES[1])),
        Long.toString(micros(measure, PERCENTILES[2])),
        Long.toString(measure.latencies().longest() / 1000));
  }

  private JsonObjectBuilder json() {
    List<JsonValue> all = new ArrayList<>();
    measures.forEach(measure -> all.add(json(measure).build()));
    return Json.object()
        .with("store", store)
        .with("threads", threads)
        .with("measures", all)
        .with("keys_deleted", keys);
  }

  private static JsonObjectBuilder json(StoreBench.Measure measure) {
    return Json.object()
        .with("what", measure.kind().name().toLowerCase(Locale.ROOT))
        .with("count", measure.latencies().count())
        .with("per_second", (double) Math.round(measure.perSecond()))
        .with("p50_us", micros(measure, PERCENTILES[0]))
        .with("p90_us", micros(measure, PERCENTILES[1]))
        .with("p99_us", micros(measure, PERCENTILES[2]))
        .with("max_us", measure.latencies().longest() / 1000);
  }
}
