package dev.semel.server.admin;

import dev.semel.InvalidInput;
import dev.semel.admin.AdminTargets;
import dev.semel.admin.StoreStats;
import dev.semel.admin.document.AdviceDocument;
import dev.semel.admin.document.AlertDocument;
import dev.semel.admin.document.AuditDocument;
import dev.semel.admin.document.EventDocument;
import dev.semel.admin.document.HealthDocument;
import dev.semel.admin.document.OperationDocument;
import dev.semel.admin.document.StatsDocument;
import dev.semel.advice.Advice;
import dev.semel.advice.AdviceCriteria;
import dev.semel.idempotency.OperationSetting;
import dev.semel.json.Json;
import dev.semel.json.JsonObjectBuilder;
import dev.semel.json.JsonValue;
import dev.semel.json.JsonValue.JsonNull;
import dev.semel.json.JsonValue.JsonObject;
import dev.semel.json.JsonValue.JsonString;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** Everything about the store as a whole, and what others added. */
final class EstateRoutes {
  private static final Parameter PERCENT =
      new Parameter("percent", "Of the duplicates, how many a retention must catch; usually 99.9.");
  private static final Parameter KEY = new Parameter("key", "tenant/operation:id.");
  private static final Pattern PLAIN_NUMBER = Pattern.compile("\\d{1,3}(\\.\\d{1,20})?");

  private final Administration administration;
  private final AdminTargets estate;
  private final Recent<StoreStats> stats;

  EstateRoutes(Administration administration) {
    this.administration = administration;
    this.estate = administration.estate();
    this.stats = new Recent<>(() -> estate.as("").stats());
  }

  List<Route> all() {
    List<Route> routes = new ArrayList<>();
    routes.addAll(
        List.of(
            Route.get(
                "stats",
                "What all processes counted, no older than a second.",
                List.of(),
                asked -> StatsDocument.json(stats.get()).write()),
            Route.change(
                "POST",
                "stats/reset",
                "Set all counts to zero.",
                Parameter.list(Parameter.DRY_RUN, Parameter.EXPECT),
                this::reset),
            Route.get(
                "queues",
                "Operations, what was asked of them and what is set for them.",
                List.of(),
                asked -> OperationDocument.json(asked.center().queues()).write()),
            Route.change(
                "PUT",
                "queues/{name}",
                "Change settings of an operation; they reach every process within seconds.",
                Parameter.list(
                    new Parameter(
                        "settings", "An object: each setting's text; null takes it away.")),
                EstateRoutes::change),
            Route.get(
                "health",
                "Whether what this server looks at can be reached.",
                List.of(),
                asked -> HealthDocument.json(asked.center().health()).write()),
            Route.get(
                "alerts",
                "What is beyond its limit, and what was in the last day.",
                List.of(),
                asked -> AlertDocument.json(asked.center().alerts()).write()),
            Route.get(
                "advice",
                "What to tune, from what was counted.",
                Parameter.list(PERCENT),
                asked -> AdviceDocument.json(asked.center().advice(demand(asked))).write()),
            Route.change(
                "POST",
                "advice/apply",
                "Change what was advised.",
                Parameter.list(
                    new Parameter("operation", "Whose settings."),
                    new Parameter("topic", "Why, as in the advice."),
                    new Parameter("change", "An object: each setting's text.")),
                EstateRoutes::apply),
            Route.get(
                "config", "How this server was set up.", List.of(), asked -> config().write()),
            Route.change(
                "POST",
                "cleanup",
                "Remove records whose retention has ended, and events that are too old.",
                Parameter.list(Parameter.DRY_RUN, Parameter.EXPECT_AT_LEAST),
                EstateRoutes::cleanup)));
    routes.addAll(audit());
    return routes;
  }

  private static List<Route> audit() {
    return List.of(
        Route.get(
            "audit",
            "The event log: the newest lines, or those behind a cursor.",
            Parameter.list(
                KEY,
                new Parameter("kind", "Only of this kind, such as changed."),
                new Parameter("after", "A page's next; start for the oldest line."),
                Parameter.LIMIT),
            EstateRoutes::events),
        Route.get(
            "audit/end",
            "Where the event log ends now.",
            List.of(),
            asked -> Json.object().with("next", asked.center().end()).write()),
        Route.get(
            "audit/verify",
            "Check the hash chains of the whole event log.",
            List.of(),
            asked -> AuditDocument.json(asked.center().verify(so -> {})).write()),
        Route.change(
            "POST",
            "audit/erase",
            "Erase a key's id, and what else may be personal, from the event log.",
            Parameter.list(KEY),
            asked -> Json.object().with("erased", asked.center().erase(asked.key("key"))).write()));
  }

  private String reset(Asked asked) {
    return Bulk.compared(
        asked,
        "reset",
        () -> estate.store().statistics().read().size(),
        () -> asked.center().resetStatistics());
  }

  private static String cleanup(Asked asked) {
    return Bulk.confirmed(
        asked,
        "removed",
        () -> asked.center().ended(),
        expected -> asked.center().cleanup(expected, so -> {}));
  }

  private static String change(Asked asked) {
    if (!(asked.body().get("settings").orElse(null) instanceof JsonObject wanted)) {
      throw new InvalidInput("send {\"settings\": {…}} with what is to be changed");
    }
    Map<OperationSetting, String> changes = new EnumMap<>(OperationSetting.class);
    wanted
        .members()
        .forEach((name, value) -> changes.put(OperationSetting.parse(name), text(name, value)));
    return OperationDocument.json(
            asked.operation(), asked.center().change(asked.operation(), changes))
        .write();
  }

  private static AdviceCriteria demand(Asked asked) {
    return asked
        .find(PERCENT.name())
        .map(text -> AdviceCriteria.usual().withPercent(percent(text)))
        .orElse(AdviceCriteria.usual());
  }

  /** Without an exponent: a short one makes a number that no memory can write out. */
  private static BigDecimal percent(String text) {
    if (!PLAIN_NUMBER.matcher(text).matches()) {
      throw new InvalidInput("percent must be a number such as 99.9");
    }
    return new BigDecimal(text);
  }

  private static String apply(Asked asked) {
    Advice advice = AdviceDocument.readChange(asked.body());
    return OperationDocument.json(
            advice.operation().orElseThrow(() -> new InvalidInput("operation is missing")),
            asked.center().apply(advice))
        .write();
  }

  private static String text(String name, JsonValue value) {
    if (value instanceof JsonNull) {
      return "";
    }
    if (value instanceof JsonString text) {
      return text.text();
    }
    throw new InvalidInput("%s must be a text, or null to take it away".formatted(name));
  }

  private static String events(Asked asked) {
    if (asked.find("after").isPresent()) {
      String after = asked.text("after");
      return EventDocument.json(
              asked.center().events(after.equals("start") ? "" : after, asked.limit()))
          .write();
    }
    String kind = asked.text("kind");
    return EventDocument.json(
            asked.find("key").isPresent()
                ? asked.center().about(asked.key("key"), asked.limit()).stream()
                    .filter(line -> kind.isEmpty() || line.kind().equals(kind))
                    .toList()
                : asked.center().latest(kind, asked.limit()))
        .write();
  }

  private JsonObjectBuilder config() {
    List<JsonValue> parts = new ArrayList<>();
    if (!estate.jobs().isEmpty()) {
      parts.add(JsonValue.of("jobs"));
    }
    estate.outbox().ifPresent(there -> parts.add(JsonValue.of("outbox")));
    estate.inbox().ifPresent(there -> parts.add(JsonValue.of("inbox")));
    return Json.object()
        .with("store", estate.store().describe())
        .with("parts", parts)
        .with("server", administration.config());
  }
}
