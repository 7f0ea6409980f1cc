package dev.semel.admin.document.internal;

import static dev.semel.admin.document.internal.DocumentSchema.integer;
import static dev.semel.admin.document.internal.DocumentSchema.map;
import static dev.semel.admin.document.internal.DocumentSchema.number;
import static dev.semel.admin.document.internal.DocumentSchema.object;
import static dev.semel.admin.document.internal.DocumentSchema.objects;
import static dev.semel.admin.document.internal.DocumentSchema.text;
import static dev.semel.admin.document.internal.DocumentSchema.time;
import static dev.semel.admin.document.internal.DocumentSchema.truth;

import dev.semel.Operation;
import dev.semel.Tenant;
import dev.semel.admin.StoreStats;
import dev.semel.admin.document.internal.DocumentSchema.Member;
import dev.semel.idempotency.spi.DecisionCounter;
import dev.semel.idempotency.spi.DecisionCounts;
import dev.semel.idempotency.spi.DuplicateAge;
import dev.semel.idempotency.spi.KeyCatalog;
import dev.semel.idempotency.spi.StatisticsStore.Scope;
import dev.semel.internal.DurationText;
import dev.semel.json.Json;
import dev.semel.json.JsonObjectBuilder;
import dev.semel.json.JsonValue;
import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/** The JSON form of statistics. */
public final class StatsDocument {
  private static final DocumentSchema COUNTS = DocumentSchema.of("Counts", counts());

  /** The counts of one operation. */
  static final DocumentSchema OPERATION =
      DocumentSchema.of("OperationCounts", text("tenant"), text("operation"))
          .with("OperationCounts", counts());

  /** One operation as a row, with the ages of its duplicates. */
  static final DocumentSchema ROW = OPERATION.with("OperationRow", ages());

  static final DocumentSchema SCHEMA =
      DocumentSchema.of(
          "Stats",
          text("store"),
          time("now"),
          object("total", COUNTS),
          objects(
              "operations",
              OPERATION.with(
                  "OperationStats",
                  map("duplicate_ages"),
                  objects(
                      "trend",
                      DocumentSchema.of("HourRequests", time("start"), integer("requests"))))),
          objects(
              "trend", DocumentSchema.of("HourCounts", time("start")).with("HourCounts", counts())),
          integer("active_keys"),
          integer("bytes"),
          truth("exact"));

  private static Member[] counts() {
    return Stream.concat(
            Stream.of(DecisionCounter.values()).map(counter -> integer(counter.field())),
            Stream.of(number("hit_rate")))
        .toArray(Member[]::new);
  }

  private static Member[] ages() {
    return Stream.of(DuplicateAge.values()).map(age -> integer(age.field())).toArray(Member[]::new);
  }

  private StatsDocument() {}

  public static JsonObjectBuilder json(StoreStats stats) {
    JsonObjectBuilder members =
        Json.object()
            .with("store", stats.store())
            .with("now", stats.now().toString())
            .with("total", counts(Json.object(), stats.total()).build())
            .with("operations", stats.operations().stream().map(StatsDocument::whole).toList())
            .with("trend", stats.trend().stream().map(StatsDocument::point).toList());
    return usage(members, stats.usage());
  }

  public static JsonObjectBuilder usage(JsonObjectBuilder members, KeyCatalog.Usage usage) {
    return members
        .with("active_keys", usage.activeKeys())
        .with("bytes", usage.bytes())
        .with("exact", usage.exact());
  }

  /** The counts of one operation. */
  public static JsonObjectBuilder json(StoreStats.Operation each) {
    JsonObjectBuilder scope =
        Json.object()
            .with("tenant", each.scope().tenant().name())
            .with("operation", each.scope().operation().name());
    return counts(scope, each.counts());
  }

  /** One operation as a row of an export, with the ages of its duplicates as separate members. */
  public static JsonObjectBuilder row(StoreStats.Operation each) {
    JsonObjectBuilder row = json(each);
    for (DuplicateAge age : DuplicateAge.values()) {
      row.with(age.field(), each.counts().get(age));
    }
    return row;
  }

  private static JsonValue whole(StoreStats.Operation each) {
    List<JsonValue> hours =
        each.requests().entrySet().stream()
            .<JsonValue>map(
                hour ->
                    Json.object()
                        .with("start", hour.getKey().toString())
                        .with("requests", hour.getValue())
                        .build())
            .toList();
    return json(each).with("duplicate_ages", ages(each.counts())).with("trend", hours).build();
  }

  private static JsonValue point(StoreStats.Point each) {
    return counts(Json.object().with("start", each.start().toString()), each.counts()).build();
  }

  public static JsonObjectBuilder counts(JsonObjectBuilder members, DecisionCounts counts) {
    for (DecisionCounter counter : DecisionCounter.values()) {
      members.with(counter.field(), counts.get(counter));
    }
    return members.with("hit_rate", counts.hitRate());
  }

  /** The ages at which duplicates arrived: the first request's greatest age, and how many. */
  private static JsonValue ages(DecisionCounts counts) {
    JsonObjectBuilder members = Json.object();
    counts.ages().forEach((age, count) -> members.with(word(age), count));
    return members.build();
  }

  private static String word(DuplicateAge age) {
    return age == DuplicateAge.OLDER ? "older" : DurationText.format(age.atMost());
  }

  public static StoreStats read(JsonValue value) {
    MemberReader from = MemberReader.of(value);
    return new StoreStats(
        from.text("store"),
        from.time("now"),
        from.items("operations", StatsDocument::readOperation),
        from.items(
            "trend",
            each -> {
              MemberReader point = MemberReader.of(each);
              return new StoreStats.Point(point.time("start"), readCounts(point));
            }),
        new KeyCatalog.Usage(
            from.number("active_keys"), from.number("bytes"), from.truth("exact")));
  }

  private static StoreStats.Operation readOperation(JsonValue value) {
    MemberReader from = MemberReader.of(value);
    SortedMap<Instant, Long> requests = new TreeMap<>();
    from.items("trend", MemberReader::of)
        .forEach(hour -> requests.put(hour.time("start"), hour.number("requests")));
    return new StoreStats.Operation(
        new Scope(new Tenant(from.text("tenant")), new Operation(from.text("operation"))),
        readCounts(from),
        requests);
  }

  /** Ignores counts that only another version has. */
  private static DecisionCounts readCounts(MemberReader from) {
    Map<DecisionCounter, Long> values = new EnumMap<>(DecisionCounter.class);
    for (DecisionCounter counter : DecisionCounter.values()) {
      from.findNumber(counter.field()).ifPresent(count -> values.put(counter, count));
    }
    Map<DuplicateAge, Long> ages = new EnumMap<>(DuplicateAge.class);
    from.find("duplicate_ages")
        .map(MemberReader::of)
        .ifPresent(
            found -> {
              for (DuplicateAge age : DuplicateAge.values()) {
                found.findNumber(word(age)).ifPresent(count -> ages.put(age, count));
              }
            });
    return new DecisionCounts(values, ages);
  }
}
