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
final class TargetRoutes {
  private static final RouteParameter PERCENT =
      new RouteParameter(
          "percent", "Of the duplicates, how many a retention must catch; usually 99.9.");
  private static final RouteParameter KEY = new RouteParameter("key", "tenant/operation:id.");
  private static final Pattern PLAIN_NUMBER = Pattern.compile("\\d{1,3}(\\.\\d{1,20})?");

  private final AdminBackend administration;
  private final AdminTargets targets;
  private final RecentValue<StoreStats> stats;

  TargetRoutes(AdminBackend administration) {
    this.administration = administration;
    this.targets = administration.targets();
    this.stats = new RecentValue<>(() -> targets.as("").stats());
  }

  List<AdminRoute> all() {
    List<AdminRoute> routes = new ArrayList<>();
    routes.addAll(
        List.of(
            AdminRoute.get(
                "stats",
                "What all processes counted, no older than a second.",
                List.of(),
                asked -> StatsDocument.json(stats.get()).write()),
            AdminRoute.change(
                "POST",
                "stats/reset",
                "Set all counts to zero.",
                RouteParameter.list(RouteParameter.DRY_RUN, RouteParameter.EXPECT),
                this::reset),
            AdminRoute.get(
                "queues",
                "Operations, what was asked of them and what is set for them.",
                List.of(),
                asked -> OperationDocument.json(asked.center().queues()).write()),
            AdminRoute.change(
                "PUT",
                "queues/{name}",
                "Change settings of an operation; they reach every process within seconds.",
                RouteParameter.list(
                    new RouteParameter(
                        "settings", "An object: each setting's text; null takes it away.")),
                TargetRoutes::change),
            AdminRoute.get(
                "health",
                "Whether what this server looks at can be reached.",
                List.of(),
                asked -> HealthDocument.json(asked.center().health()).write()),
            AdminRoute.get(
                "alerts",
                "What is beyond its limit, and what was in the last day.",
                List.of(),
                asked -> AlertDocument.json(asked.center().alerts()).write()),
            AdminRoute.get(
                "advice",
                "What to tune, from what was counted.",
                RouteParameter.list(PERCENT),
                asked -> AdviceDocument.json(asked.center().advice(demand(asked))).write()),
            AdminRoute.change(
                "POST",
                "advice/apply",
                "Change what was advised.",
                RouteParameter.list(
                    new RouteParameter("operation", "Whose settings."),
                    new RouteParameter("topic", "Why, as in the advice."),
                    new RouteParameter("change", "An object: each setting's text.")),
                TargetRoutes::apply),
            AdminRoute.get(
                "config", "How this server was set up.", List.of(), asked -> config().write()),
            AdminRoute.change(
                "POST",
                "cleanup",
                "Remove records whose retention has ended, and events that are too old.",
                RouteParameter.list(RouteParameter.DRY_RUN, RouteParameter.EXPECT_AT_LEAST),
                TargetRoutes::cleanup)));
    routes.addAll(audit());
    return routes;
  }

  private static List<AdminRoute> audit() {
    return List.of(
        AdminRoute.get(
            "audit",
            "The event log: the newest lines, or those behind a cursor.",
            RouteParameter.list(
                KEY,
                new RouteParameter("kind", "Only of this kind, such as changed."),
                new RouteParameter("after", "A page's next; start for the oldest line."),
                RouteParameter.LIMIT),
            TargetRoutes::events),
        AdminRoute.get(
            "audit/end",
            "Where the event log ends now.",
            List.of(),
            asked -> Json.object().with("next", asked.center().end()).write()),
        AdminRoute.get(
            "audit/verify",
            "Check the hash chains of the whole event log.",
            List.of(),
            asked -> AuditDocument.json(asked.center().verify(so -> {})).write()),
        AdminRoute.change(
            "POST",
            "audit/erase",
            "Erase a key's id, and what else may be personal, from the event log.",
            RouteParameter.list(KEY),
            asked -> Json.object().with("erased", asked.center().erase(asked.key("key"))).write()));
  }

  private String reset(AdminRequest asked) {
    return BulkChange.compared(
        asked,
        "reset",
        () -> targets.store().statistics().read().size(),
        () -> asked.center().resetStatistics());
  }

  private static String cleanup(AdminRequest asked) {
    return BulkChange.confirmed(
        asked,
        "removed",
        () -> asked.center().ended(),
        expected -> asked.center().cleanup(expected, so -> {}));
  }

  private static String change(AdminRequest asked) {
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

  private static AdviceCriteria demand(AdminRequest asked) {
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

  private static String apply(AdminRequest asked) {
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

  private static String events(AdminRequest asked) {
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
    if (!targets.jobs().isEmpty()) {
      parts.add(JsonValue.of("jobs"));
    }
    targets.outbox().ifPresent(there -> parts.add(JsonValue.of("outbox")));
    targets.inbox().ifPresent(there -> parts.add(JsonValue.of("inbox")));
    return Json.object()
        .with("store", targets.store().describe())
        .with("parts", parts)
        .with("server", administration.config());
  }
}
