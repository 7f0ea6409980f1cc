package dev.semel.cli;

import dev.semel.admin.Admin;
import dev.semel.idempotency.Counter;
import dev.semel.idempotency.Counts;
import dev.semel.idempotency.StatisticsStore.Scope;
import dev.semel.json.Json;
import dev.semel.json.JsonValue;
import dev.semel.json.Members;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** Counts as people and programs see them. */
record StatsView(Admin.Overview overview, String store) {
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
    Table table = new Table(headings.toArray(new String[0]));
    sorted()
        .forEach(
            entry -> {
              Scope scope = entry.getKey();
              table.row(cells(scope.tenant() + "/" + scope.operation(), entry.getValue(), shown));
            });
    table.row(cells("total", overview.total(), shown));
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

  private Members json() {
    List<JsonValue> operations = new ArrayList<>();
    sorted().forEach(entry -> operations.add(json(entry).build()));
    return Json.object()
        .with("store", store)
        .with("total", counts(Json.object(), overview.total()).build())
        .with("operations", operations)
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
