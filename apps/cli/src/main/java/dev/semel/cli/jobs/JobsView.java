package dev.semel.cli.jobs;

import dev.semel.admin.document.internal.JobDocument;
import dev.semel.cli.OutputFormat;
import dev.semel.cli.TextTable;
import dev.semel.cli.messages.OutboxView;
import dev.semel.internal.DurationText;
import dev.semel.internal.PrintableText;
import dev.semel.job.spi.JobOperations.Entry;
import dev.semel.job.spi.JobOperations.Page;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Renders jobs.
 *
 * @param now on the queue's clock
 * @param traces whole failures, not only their first line
 */
record JobsView(Page page, Instant now, boolean traces) {
  private static final String INDENT = "    ";

  /** All columns. */
  List<String> list(OutputFormat format) {
    return switch (format) {
      case TABLE -> listTable();
      case JSON -> List.of(json());
      case JSONL -> each();
      case PLAIN ->
          page.entries().stream()
              .map(
                  each ->
                      String.join(
                          "\t",
                          each.key().text(),
                          PrintableText.word(each.state()),
                          PrintableText.word(each.priority()),
                          Integer.toString(each.attempts()),
                          each.enqueued().toString(),
                          each.due().toString()))
              .toList();
    };
  }

  /** The columns of dead letters. */
  List<String> dead(OutputFormat format) {
    return switch (format) {
      case TABLE -> traces ? letters() : deadTable();
      case JSON -> List.of(json());
      case JSONL -> each();
      case PLAIN ->
          page.entries().stream()
              .map(
                  each ->
                      String.join(
                          "\t",
                          each.key().text(),
                          PrintableText.word(each.state()),
                          Integer.toString(each.attempts()),
                          time(each.ended()),
                          reason(each)))
              .toList();
    };
  }

  private List<String> listTable() {
    TextTable table =
        new TextTable("KEY", "STATE", "PRIORITY", "TRIES", "BYTES", "AGE", "DUE", "REASON");
    for (Entry each : page.entries()) {
      table.row(
          List.of(
              each.key().text(),
              PrintableText.word(each.state()),
              PrintableText.word(each.priority()),
              Integer.toString(each.attempts()),
              Integer.toString(each.payloadBytes()),
              age(each.enqueued()),
              due(each),
              OutboxView.orDash(reason(each))));
    }
    return page.entries().isEmpty() ? List.of() : table.lines();
  }

  private List<String> deadTable() {
    TextTable table = new TextTable("KEY", "STATE", "TRIES", "DEAD FOR", "REASON");
    for (Entry each : page.entries()) {
      table.row(
          List.of(
              each.key().text(),
              PrintableText.word(each.state()),
              Integer.toString(each.attempts()),
              each.ended().map(this::age).orElse("-"),
              OutboxView.orDash(reason(each))));
    }
    return page.entries().isEmpty() ? List.of() : table.lines();
  }

  /** Dead letters one after the other, each with its whole failure. */
  private List<String> letters() {
    List<String> lines = new ArrayList<>();
    for (Entry each : page.entries()) {
      lines.add(
          "%s  %s after %s, %s ago"
              .formatted(
                  each.key(),
                  PrintableText.word(each.state()),
                  each.attempts() == 1 ? "1 try" : each.attempts() + " tries",
                  each.ended().map(this::age).orElse("-")));
      each.error().lines().forEach(line -> lines.add(INDENT + safe(line)));
    }
    return lines;
  }

  /** Keeps the tabs of a trace; escapes everything else. */
  private static String safe(String line) {
    return PrintableText.safe(line.replace("\t", INDENT));
  }

  private String due(Entry each) {
    Duration left = Duration.between(now, each.due());
    return switch (each.state()) {
      case PENDING -> left.isPositive() ? "in " + DurationText.brief(left) : "now";
      case PROCESSING, COMPLETED, FAILED, IN_DOUBT -> "-";
    };
  }

  private String age(Instant since) {
    Duration age = Duration.between(since, now);
    return DurationText.brief(age.isNegative() ? Duration.ZERO : age);
  }

  private static String reason(Entry each) {
    return each.error().lines().findFirst().map(JobsView::safe).orElse("");
  }

  private static String time(Optional<Instant> time) {
    return time.map(Instant::toString).orElse("-");
  }

  private String json() {
    return JobDocument.json(page, traces).write();
  }

  private List<String> each() {
    return page.entries().stream().map(each -> JobDocument.json(each, traces).write()).toList();
  }
}
