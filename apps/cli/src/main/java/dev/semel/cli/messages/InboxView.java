package dev.semel.cli.messages;

import dev.semel.admin.document.internal.InboxDocument;
import dev.semel.cli.OutputFormat;
import dev.semel.cli.TextTable;
import dev.semel.inbox.spi.InboxOperations.ConsumerStatus;
import dev.semel.inbox.spi.InboxOperations.Entry;
import dev.semel.inbox.spi.InboxOperations.Page;
import dev.semel.inbox.spi.InboxOperations.Status;
import dev.semel.internal.PrintableText;
import java.util.ArrayList;
import java.util.List;

/** Renders an inbox. */
final class InboxView {
  private InboxView() {}

  /**
   * Renders the status.
   *
   * @param says problems of its tables, a sentence each
   */
  static List<String> lines(Status status, List<String> says, OutputFormat format) {
    return switch (format) {
      case TABLE -> table(status);
      case JSON, JSONL -> List.of(InboxDocument.json(status, says).write());
      case PLAIN ->
          status.consumers().stream()
              .map(
                  each ->
                      "%s\t%d\t%d\t%d\t%d"
                          .formatted(
                              each.consumer(),
                              each.ids(),
                              each.pending(),
                              each.dead(),
                              each.inDoubt()))
              .toList();
    };
  }

  private static List<String> table(Status status) {
    List<String> lines = new ArrayList<>();
    if (!status.consumers().isEmpty()) {
      TextTable table =
          new TextTable(
              "CONSUMER", "IDS", "SINCE", "PENDING", "FAILING", "DEAD", "IN DOUBT", "OLDEST");
      for (ConsumerStatus each : status.consumers()) {
        table.row(
            List.of(
                each.consumer(),
                Long.toString(each.ids()),
                each.firstSeen().map(Object::toString).orElse("-"),
                Long.toString(each.pending()),
                Long.toString(each.failing()),
                Long.toString(each.dead()),
                Long.toString(each.inDoubt()),
                OutboxView.age(each.oldest())));
      }
      lines.addAll(table.lines());
      lines.add("");
    }
    lines.add("%,d bytes".formatted(status.bytes()));
    return lines;
  }

  static List<String> lines(Page page, OutputFormat format) {
    return switch (format) {
      case TABLE -> table(page.entries());
      case JSON -> List.of(InboxDocument.json(page).write());
      case JSONL -> page.entries().stream().map(each -> InboxDocument.json(each).write()).toList();
      case PLAIN ->
          page.entries().stream()
              .map(
                  each ->
                      PrintableText.safe(each.id()) + "\t" + each.attempts() + "\t" + each.since())
              .toList();
    };
  }

  private static List<String> table(List<Entry> entries) {
    if (entries.isEmpty()) {
      return List.of();
    }
    TextTable table =
        new TextTable("ID", "STATE", "DESTINATION", "KEY", "TRIES", "SINCE", "REASON");
    entries.forEach(
        each ->
            table.row(
                List.of(
                    PrintableText.safe(each.id()),
                    PrintableText.word(each.state()),
                    PrintableText.safe(each.destination()),
                    OutboxView.orDash(each.orderingKey()),
                    Integer.toString(each.attempts()),
                    each.since().toString(),
                    OutboxView.orDash(each.reason()))));
    return table.lines();
  }
}
