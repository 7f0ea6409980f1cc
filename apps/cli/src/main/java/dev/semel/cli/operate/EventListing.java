package dev.semel.cli.operate;

import dev.semel.admin.document.internal.EventDocument;
import dev.semel.cli.Console;
import dev.semel.cli.OutputFormat;
import dev.semel.event.EventAudit;
import dev.semel.event.EventLine;
import dev.semel.internal.PrintableText;
import dev.semel.json.Json;
import dev.semel.json.JsonValue;
import dev.semel.json.JsonValue.JsonNumber;
import dev.semel.json.JsonValue.JsonString;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Prints events as they come. For one thread. */
public final class EventListing {
  private static final String ERASED = "(erased)";
  private static final int WRITER_SHOWN = 13;
  private static final String HEAD = "{\"events\":[";

  private final Console console;
  private final OutputFormat format;
  private boolean empty = true;

  /** Writes nothing yet, so that a failure before the first event leaves no partial document. */
  public EventListing(Console console, OutputFormat format) {
    this.console = console;
    this.format = format;
  }

  void add(EventLine line) {
    switch (format) {
      case TABLE -> console.line(text(line));
      case JSON ->
          console.streams().out().print((empty ? HEAD : ",") + EventDocument.json(line).write());
      case JSONL -> console.line(EventDocument.json(line).write());
      case PLAIN -> console.line(plain(line));
    }
    empty = false;
  }

  void end() {
    if (format == OutputFormat.JSON) {
      console.line((empty ? HEAD : "") + "]}");
    } else if (empty && format == OutputFormat.TABLE) {
      console.note("no events");
    }
  }

  private static String text(EventLine line) {
    return "%s  %-14s %s  %s"
        .formatted(Instant.ofEpochMilli(line.atMillis()), line.kind(), subject(line), details(line))
        .stripTrailing();
  }

  private static String subject(EventLine line) {
    if (line.tenant().isEmpty()) {
      return "";
    }
    String id = line.personal().erased() ? ERASED : line.personal().id();
    return PrintableText.safe(line.tenant() + "/" + line.operation() + ":" + id);
  }

  private static String details(EventLine line) {
    return Stream.of(line.details(), line.personal().more())
        .filter(json -> !json.isEmpty())
        .flatMap(json -> EventDocument.object(json).members().entrySet().stream())
        .map(member -> member.getKey() + "=" + shown(member.getValue()))
        .collect(Collectors.joining(" "));
  }

  private static String shown(JsonValue value) {
    return switch (value) {
      case JsonString s -> PrintableText.safe(s.text());
      case JsonNumber n -> n.value().toPlainString();
      default -> Json.write(value);
    };
  }

  private static String plain(EventLine line) {
    return String.join(
        "\t",
        Instant.ofEpochMilli(line.atMillis()).toString(),
        line.kind(),
        subject(line),
        line.details());
  }

  static List<String> lines(EventAudit.Report report) {
    List<String> lines = new ArrayList<>();
    report
        .findings()
        .forEach(
            finding ->
                lines.add(
                    "%s: event %d of writer %s…"
                        .formatted(
                            words(finding.problem()),
                            finding.number(),
                            finding.writer().substring(0, WRITER_SHOWN))));
    if (report.found() > report.findings().size()) {
      lines.add("… and %d more".formatted(report.found() - report.findings().size()));
    }
    lines.add(
        report.intact()
            ? "intact: %d events of %d writers".formatted(report.lines(), report.writers())
            : "NOT INTACT: %d findings in %d events of %d writers"
                .formatted(report.found(), report.lines(), report.writers()));
    return lines;
  }

  private static String words(EventAudit.Problem problem) {
    return switch (problem) {
      case CHANGED -> "changed";
      case MISSING_BEFORE -> "events are missing before it";
      case MISSING_AT_END -> "the newest events are missing after it";
      case OUT_OF_ORDER -> "not in its place";
      case NOT_LINKED -> "does not follow from the one before";
    };
  }
}
