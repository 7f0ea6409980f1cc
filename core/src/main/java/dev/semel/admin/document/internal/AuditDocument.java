package dev.semel.admin.document.internal;

import static dev.semel.admin.document.internal.DocumentSchema.integer;
import static dev.semel.admin.document.internal.DocumentSchema.objects;
import static dev.semel.admin.document.internal.DocumentSchema.text;
import static dev.semel.admin.document.internal.DocumentSchema.truth;

import dev.semel.admin.ControlCenter.Verified;
import dev.semel.event.EventAudit;
import dev.semel.event.spi.EventStore;
import dev.semel.json.Json;
import dev.semel.json.JsonObjectBuilder;
import dev.semel.json.JsonValue;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** The JSON form of an audit's result. */
public final class AuditDocument {
  static final DocumentSchema SCHEMA =
      DocumentSchema.of(
          "AuditReport",
          truth("intact"),
          integer("events"),
          integer("writers"),
          integer("found"),
          objects(
              "findings",
              DocumentSchema.of(
                  "AuditFinding", text("problem"), text("writer"), integer("number"))),
          objects(
              "chains",
              DocumentSchema.of(
                  "EventChain", text("writer"), integer("first"), integer("last"), text("hash"))));

  private AuditDocument() {}

  public static JsonObjectBuilder json(Verified verified) {
    EventAudit.Report report = verified.report();
    List<JsonValue> findings = new ArrayList<>();
    for (EventAudit.Finding each : report.findings()) {
      findings.add(
          Json.object()
              .with("problem", each.problem().name().toLowerCase(Locale.ROOT))
              .with("writer", each.writer())
              .with("number", each.number())
              .build());
    }
    List<JsonValue> ends = new ArrayList<>();
    new TreeMap<>(verified.chains())
        .forEach(
            (writer, chain) ->
                ends.add(
                    Json.object()
                        .with("writer", writer)
                        .with("first", chain.first())
                        .with("last", chain.last())
                        .with("hash", chain.hash())
                        .build()));
    return Json.object()
        .with("intact", report.intact())
        .with("events", report.lines())
        .with("writers", (long) report.writers())
        .with("found", report.found())
        .with("findings", findings)
        .with("chains", ends);
  }

  /** The hash before a chain's first line is not in the document. */
  public static Verified read(JsonValue value) {
    MemberReader from = MemberReader.of(value);
    Map<String, EventStore.Chain> chains = new HashMap<>();
    from.items("chains", MemberReader::of)
        .forEach(
            each ->
                chains.put(
                    each.text("writer"),
                    new EventStore.Chain(
                        each.number("first"), "", each.number("last"), each.text("hash"))));
    List<EventAudit.Finding> findings =
        from.items("findings", MemberReader::of).stream()
            .map(
                each ->
                    new EventAudit.Finding(
                        each.choice("problem", EventAudit.Problem.class),
                        each.text("writer"),
                        each.number("number")))
            .toList();
    return new Verified(
        new EventAudit.Report(
            from.number("events"), from.integer("writers"), from.number("found"), findings),
        chains);
  }
}
