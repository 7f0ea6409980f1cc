package dev.semel.cli;

import dev.semel.DurationText;
import dev.semel.admin.Admin;
import dev.semel.idempotency.Age;
import dev.semel.idempotency.Counter;
import dev.semel.idempotency.Counts;
import dev.semel.idempotency.StatisticsStore;
import dev.semel.idempotency.StatisticsStore.Scope;
import dev.semel.idempotency.StatisticsStore.Slice;
import dev.semel.json.Json;
import dev.semel.json.JsonValue;
import dev.semel.json.Members;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/** Counts as people and programs see them. */
record StatsView(Admin.Overview overview, List<Slice> trend, Instant now, String store) {
  static final Duration STEP = Duration.ofHours(1);
  private static final int STEPS = (int) StatisticsStore.TREND.dividedBy(STEP);

  /** Always shown; the others have a column only where there is something in it. */
  private static final Set<Counter> USUAL =
      EnumSet.of(Counter.REQUESTS, Counter.EXECUTED, Counter.DUPLICATES);

  List<String> lines(Format format) {
    return switch (format) {
      case TABLE -> table();
      case JSON -> List.of(json().write());
      case JSONL -> jsonLines();
      case PLAIN -> plain();
    };
  }

  private List<Map.Entry<Scope, Counts>> sorted() {
    return overview.counts().entrySet().stream()
        .sorted(
            Comparator.comparing(
                entry -> entry.getKey().tenant().name() + " " + entry.getKey().operation().name()))
        .toList();
  }

  private List<String> table() {
    List<Counter> shown = new ArrayList<>();
    for (Counter counter : Counter.values()) {
      if (USUAL.contains(counter) || overview.total().get(counter) > 0) {
        shown.add(counter);
      }
    }
    List<String> headings = new ArrayList<>(List.of("OPERATION"));
    shown.forEach(counter -> headings.add(counter.name().replace('_', ' ')));
    headings.add("HIT RATE");
    headings.add("LAST 24 H");
    Table table = new Table(headings.toArray(new String[0]));
    sorted()
        .forEach(
            entry -> {
              Scope scope = entry.getKey();
              List<String> cells =
                  cells(scope.tenant() + "/" + scope.operation(), entry.getValue(), shown);
              cells.add(sparkline(scope::equals));
              table.row(cells);
            });
    List<String> total = cells("total", overview.total(), shown);
    total.add(sparkline(scope -> true));
    table.row(total);
    List<String> lines = new ArrayList<>(table.lines());
    lines.add("");
    lines.add(
        "%s%d active %s, %s in %s"
            .formatted(
                overview.usage().exact() ? "" : "about ",
                overview.usage().activeKeys(),
                overview.usage().activeKeys() == 1 ? "key" : "keys",
                Sizes.text(overview.usage().bytes()),
                store));
    return lines;
  }

  private static List<String> cells(String scope, Counts counts, List<Counter> shown) {
    List<String> cells = new ArrayList<>(List.of(scope));
    shown.forEach(counter -> cells.add(Long.toString(counts.get(counter))));
    cells.add(String.format(Locale.ROOT, "%.1f %%", counts.hitRate() * 100));
    return cells;
  }

  /** Requests by the hour, the current one last. */
  private String sparkline(Predicate<Scope> wanted) {
    long[] requests = new long[STEPS];
    for (Slice slice : trend) {
      long ago = Duration.between(slice.start(), now).dividedBy(STEP);
      if (ago >= 0 && ago < STEPS) {
        requests[STEPS - 1 - (int) ago] += sum(slice, wanted).get(Counter.REQUESTS);
      }
    }
    return Sparkline.of(requests);
  }

  private static Counts sum(Slice slice, Predicate<Scope> wanted) {
    return slice.counts().entrySet().stream()
        .filter(entry -> wanted.test(entry.getKey()))
        .map(Map.Entry::getValue)
        .reduce(Counts.ZERO, Counts::plus);
  }

  private List<JsonValue> trendJson() {
    List<JsonValue> slices = new ArrayList<>();
    for (Slice slice : trend) {
      slices.add(
          counts(
                  Json.object().with("start", slice.start().toString()),
                  sum(slice, scope -> true))
              .build());
    }
    return slices;
  }

  /** At which ages duplicates arrived: how old the first request was at most, and how many. */
  private static JsonValue ages(Counts counts) {
    Members members = Json.object();
    counts
        .ages()
        .forEach(
            (age, count) ->
                members.with(
                    age == Age.OLDER ? "older" : DurationText.format(age.atMost()), count));
    return members.build();
  }

  private Members json() {
    List<JsonValue> operations = new ArrayList<>();
    sorted()
        .forEach(
            entry ->
                operations.add(
                    json(entry).with("duplicate_ages", ages(entry.getValue())).build()));
    return Json.object()
        .with("store", store)
        .with("total", counts(Json.object(), overview.total()).build())
        .with("operations", operations)
        .with("trend", trendJson())
        .with("active_keys", overview.usage().activeKeys())
        .with("bytes", overview.usage().bytes())
        .with("exact", overview.usage().exact());
  }

  private List<String> jsonLines() {
    List<String> lines = new ArrayList<>();
    sorted().forEach(entry -> lines.add(json(entry).write()));
    lines.add(
        counts(Json.object().withNull("tenant").withNull("operation"), overview.total())
            .with("active_keys", overview.usage().activeKeys())
            .with("bytes", overview.usage().bytes())
            .with("exact", overview.usage().exact())
            .write());
    return lines;
  }

  private static Members json(Map.Entry<Scope, Counts> entry) {
    Members scope =
        Json.object()
            .with("tenant", entry.getKey().tenant().name())
            .with("operation", entry.getKey().operation().name());
    return counts(scope, entry.getValue());
  }

  private static Members counts(Members members, Counts counts) {
    for (Counter counter : Counter.values()) {
      members.with(counter.field(), counts.get(counter));
    }
    return members.with("hit_rate", counts.hitRate());
  }

  private List<String> plain() {
    List<String> lines = new ArrayList<>();
    for (Counter counter : Counter.values()) {
      lines.add(counter.field() + "\t" + overview.total().get(counter));
    }
    lines.add("hit_rate\t" + String.format(Locale.ROOT, "%.4f", overview.total().hitRate()));
    lines.add("active_keys\t" + overview.usage().activeKeys());
    lines.add("bytes\t" + overview.usage().bytes());
    return lines;
  }
}
