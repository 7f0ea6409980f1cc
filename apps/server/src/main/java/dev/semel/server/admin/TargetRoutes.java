package dev.semel.server.admin;

import dev.semel.InvalidInput;
import dev.semel.admin.AdminTargets;
import dev.semel.admin.StoreStats;
import dev.semel.admin.document.internal.AdminAction;
import dev.semel.admin.document.internal.AdviceDocument;
import dev.semel.admin.document.internal.AlertDocument;
import dev.semel.admin.document.internal.AuditDocument;
import dev.semel.admin.document.internal.BackupDocument;
import dev.semel.admin.document.internal.EventDocument;
import dev.semel.admin.document.internal.HealthDocument;
import dev.semel.admin.document.internal.OperationDocument;
import dev.semel.admin.document.internal.StatsDocument;
import dev.semel.advice.Advice;
import dev.semel.advice.AdviceCriteria;
import dev.semel.idempotency.OperationSetting;
import dev.semel.json.Json;
import dev.semel.json.JsonObjectBuilder;
import dev.semel.json.JsonValue;
import dev.semel.json.JsonValue.JsonNull;
import dev.semel.json.JsonValue.JsonString;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** Actions on the store as a whole: statistics, operations, health, advice and the event log. */
final class TargetRoutes {
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
    return List.of(
        AdminRoute.of(AdminAction.STATS, asked -> StatsDocument.json(stats.get())),
        AdminRoute.of(AdminAction.STATS_RESET, this::reset),
        AdminRoute.of(
            AdminAction.QUEUES_LIST, asked -> OperationDocument.json(asked.center().queues())),
        AdminRoute.of(AdminAction.QUEUES_SET, TargetRoutes::change),
        AdminRoute.of(AdminAction.HEALTH, asked -> HealthDocument.json(asked.center().health())),
        AdminRoute.of(AdminAction.ALERTS, asked -> AlertDocument.json(asked.center().alerts())),
        AdminRoute.of(
            AdminAction.ADVISE,
            asked -> AdviceDocument.json(asked.center().advice(criteria(asked)))),
        AdminRoute.of(AdminAction.ADVISE_APPLY, TargetRoutes::apply),
        AdminRoute.of(AdminAction.CONFIG_SHOW, asked -> config()),
        AdminRoute.of(AdminAction.CLEANUP, TargetRoutes::cleanup),
        AdminRoute.of(
            AdminAction.BACKUP,
            asked -> BackupDocument.json(asked.center().backup(asked.required("name")))),
        AdminRoute.of(AdminAction.AUDIT_LIST, TargetRoutes::events),
        AdminRoute.of(
            AdminAction.AUDIT_END, asked -> Json.object().with("next", asked.center().end())),
        AdminRoute.of(
            AdminAction.AUDIT_VERIFY, asked -> AuditDocument.json(asked.center().verify(so -> {}))),
        AdminRoute.of(
            AdminAction.AUDIT_ERASE,
            asked -> Json.object().with("erased", asked.center().erase(asked.key("key")))));
  }

  private JsonObjectBuilder reset(AdminRequest asked) {
    return BulkChange.compared(
        asked,
        "reset",
        () -> targets.store().statistics().read().size(),
        () -> asked.center().resetStatistics());
  }

  private static JsonObjectBuilder cleanup(AdminRequest asked) {
    return BulkChange.confirmed(
        asked,
        "removed",
        () -> asked.center().ended(),
        expected -> asked.center().cleanup(expected, so -> {}));
  }

  private static JsonObjectBuilder change(AdminRequest asked) {
    Map<OperationSetting, String> changes = new EnumMap<>(OperationSetting.class);
    asked
        .object("settings")
        .members()
        .forEach((name, value) -> changes.put(OperationSetting.parse(name), text(name, value)));
    return OperationDocument.json(
        asked.operation(), asked.center().change(asked.operation(), changes));
  }

  private static AdviceCriteria criteria(AdminRequest asked) {
    return AdviceCriteria.usual().withPercent(percent(asked.required("percent")));
  }

  /** Refuses exponents: a short text could stand for a number too long for any memory. */
  private static BigDecimal percent(String text) {
    if (!PLAIN_NUMBER.matcher(text).matches()) {
      throw new InvalidInput("percent must be a number such as 99.9");
    }
    return new BigDecimal(text);
  }

  private static JsonObjectBuilder apply(AdminRequest asked) {
    Advice advice = AdviceDocument.readChange(asked.body());
    return OperationDocument.json(
        advice.operation().orElseThrow(() -> new InvalidInput("operation is missing")),
        asked.center().apply(advice));
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

  private static JsonObjectBuilder events(AdminRequest asked) {
    if (asked.find("after").isPresent()) {
      String after = asked.text("after");
      return EventDocument.json(
          asked.center().events(after.equals("start") ? "" : after, asked.limit()));
    }
    String kind = asked.text("kind");
    return EventDocument.json(
        asked.find("key").isPresent()
            ? asked.center().about(asked.key("key"), asked.limit()).stream()
                .filter(line -> kind.isEmpty() || line.kind().equals(kind))
                .toList()
            : asked.center().latest(kind, asked.limit()));
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
