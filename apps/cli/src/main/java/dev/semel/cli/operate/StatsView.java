package dev.semel.cli.operate;

import dev.semel.admin.StoreStats;
import dev.semel.admin.document.internal.StatsDocument;
import dev.semel.cli.ByteSizes;
import dev.semel.cli.OutputFormat;
import dev.semel.cli.TextTable;
import dev.semel.idempotency.spi.DecisionCounter;
import dev.semel.idempotency.spi.DecisionCounts;
import dev.semel.idempotency.spi.StatisticsStore;
import dev.semel.json.Json;
import dev.semel.json.JsonObjectBuilder;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Renders statistics. */
record StatsView(StoreStats stats) {
  private static final int STEPS = (int) StatisticsStore.TREND.dividedBy(StoreStats.STEP);

  /** Always shown; the other counters have a column only if one is not zero. */
  private static final Set<DecisionCounter> USUAL =
      EnumSet.of(DecisionCounter.REQUESTS, DecisionCounter.EXECUTED, DecisionCounter.DUPLICATES);

  List<String> lines(OutputFormat format) {
    return switch (format) {
      case TABLE -> table();
      case JSON -> List.of(StatsDocument.json(stats).write());
      case JSONL -> jsonLines();
      case PLAIN -> plain();
    };
  }

  private List<String> table() {
    List<DecisionCounter> shown = new ArrayList<>();
    for (DecisionCounter counter : DecisionCounter.values()) {
      if (USUAL.contains(counter) || stats.total().get(counter) > 0) {
        shown.add(counter);
      }
    }
    List<String> headings = new ArrayList<>(List.of("OPERATION"));
    shown.forEach(counter -> headings.add(counter.name().replace('_', ' ')));
    headings.add("HIT RATE");
    headings.add("LAST 24 H");
    TextTable table = new TextTable(headings.toArray(new String[0]));
    for (StoreStats.Operation each : stats.operations()) {
      List<String> cells =
          cells(each.scope().tenant() + "/" + each.scope().operation(), each.counts(), shown);
      cells.add(sparkline(each.requests()));
      table.row(cells);
    }
    List<String> total = cells("total", stats.total(), shown);
    total.add(sparkline(all()));
    table.row(total);
    List<String> lines = new ArrayList<>(table.lines());
    lines.add("");
    lines.add(
        "%s%d active %s, %s in %s"
            .formatted(
                stats.usage().exact() ? "" : "about ",
                stats.usage().activeKeys(),
                stats.usage().activeKeys() == 1 ? "key" : "keys",
                ByteSizes.text(stats.usage().bytes()),
                stats.store()));
    return lines;
  }

  private static List<String> cells(
      String scope, DecisionCounts counts, List<DecisionCounter> shown) {
    List<String> cells = new ArrayList<>(List.of(scope));
    shown.forEach(counter -> cells.add(Long.toString(counts.get(counter))));
    cells.add(String.format(Locale.ROOT, "%.1f %%", counts.hitRate() * 100));
    return cells;
  }

  private Map<Instant, Long> all() {
    return stats.trend().stream()
        .collect(
            Collectors.toMap(
                StoreStats.Point::start, each -> each.counts().get(DecisionCounter.REQUESTS)));
  }

  /** Requests by the hour, the current one last. */
  private String sparkline(Map<Instant, Long> requests) {
    long[] hours = new long[STEPS];
    requests.forEach(
        (start, count) -> {
          long ago = Duration.between(start, stats.now()).dividedBy(StoreStats.STEP);
          if (ago >= 0 && ago < STEPS) {
            hours[STEPS - 1 - (int) ago] += count;
          }
        });
    return Sparkline.of(hours);
  }

  private List<String> jsonLines() {
    List<String> lines = new ArrayList<>();
    stats.operations().forEach(each -> lines.add(StatsDocument.json(each).write()));
    JsonObjectBuilder total =
        StatsDocument.counts(Json.object().withNull("tenant").withNull("operation"), stats.total());
    lines.add(StatsDocument.usage(total, stats.usage()).write());
    return lines;
  }

  private List<String> plain() {
    List<String> lines = new ArrayList<>();
    for (DecisionCounter counter : DecisionCounter.values()) {
      lines.add(counter.field() + "\t" + stats.total().get(counter));
    }
    lines.add("hit_rate\t" + String.format(Locale.ROOT, "%.4f", stats.total().hitRate()));
    lines.add("active_keys\t" + stats.usage().activeKeys());
    lines.add("bytes\t" + stats.usage().bytes());
    return lines;
  }
}
