package dev.semel.cli.messages;

import dev.semel.admin.document.internal.OutboxDocument;
import dev.semel.cli.OutputFormat;
import dev.semel.cli.TextTable;
import dev.semel.internal.DurationText;
import dev.semel.internal.PrintableText;
import dev.semel.outbox.spi.OutboxOperations.DestinationStatus;
import dev.semel.outbox.spi.OutboxOperations.Entry;
import dev.semel.outbox.spi.OutboxOperations.Page;
import dev.semel.outbox.spi.OutboxOperations.RelayStatus;
import dev.semel.outbox.spi.OutboxOperations.Status;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Renders an outbox. */
public final class OutboxView {
  private OutboxView() {}

  static List<String> lines(Status status, OutputFormat format) {
    return switch (format) {
      case TABLE -> table(status);
      case JSON, JSONL -> List.of(OutboxDocument.json(status).write());
      case PLAIN ->
          List.of(
              "pending\t" + status.pending(),
              "failing\t" + status.failing(),
              "dead\t" + status.dead(),
              "kept\t" + status.kept(),
              "oldest_ms\t" + status.oldest().map(Duration::toMillis).orElse(0L));
    };
  }

  private static List<String> table(Status status) {
    List<String> lines = new ArrayList<>();
    lines.add("pending   %,d".formatted(status.pending()));
    lines.add("failing   %,d".formatted(status.failing()));
    lines.add("dead      %,d".formatted(status.dead()));
    lines.add("kept      %,d".formatted(status.kept()));
    lines.add("oldest    " + age(status.oldest()));
    if (!status.destinations().isEmpty()) {
      lines.add("");
      TextTable table = new TextTable("DESTINATION", "PENDING", "DEAD", "OLDEST");
      for (DestinationStatus each : status.destinations()) {
        table.row(
            List.of(
                PrintableText.safe(each.destination()),
                Long.toString(each.pending()),
                Long.toString(each.dead()),
                age(each.oldest())));
      }
      lines.addAll(table.lines());
    }
    lines.add("");
    if (status.relays().isEmpty()) {
      lines.add("no relay is running");
    } else {
      TextTable table =
          new TextTable("RELAY", "PARTITIONS", "PUBLISHED", "IN FLIGHT", "RATE", "SEEN");
      for (RelayStatus each : status.relays()) {
        table.row(
            List.of(
                PrintableText.safe(each.relay()),
                Integer.toString(each.partitions()),
                Long.toString(each.counts().published()),
                Integer.toString(each.counts().inFlight()),
                String.format(Locale.ROOT, "%.1f/s", each.perSecond()),
                age(Optional.of(each.lastSeen())) + " ago"));
      }
      lines.addAll(table.lines());
    }
    return lines;
  }

  static List<String> lines(Page page, OutputFormat format) {
    return switch (format) {
      case TABLE -> table(page.entries());
      case JSON -> List.of(OutboxDocument.json(page).write());
      case JSONL -> page.entries().stream().map(each -> OutboxDocument.json(each).write()).toList();
      case PLAIN ->
          page.entries().stream()
              .map(
                  each ->
                      String.join(
                          "\t",
                          PrintableText.safe(each.id()),
                          PrintableText.word(each.state()),
                          PrintableText.safe(each.destination()),
                          PrintableText.safe(each.orderingKey()),
                          Integer.toString(each.attempts()),
                          each.since().toString()))
              .toList();
    };
  }

  private static List<String> table(List<Entry> entries) {
    if (entries.isEmpty()) {
      return List.of();
    }
    TextTable table =
        new TextTable(
            "ID", "STATE", "DESTINATION", "KEY", "TYPE", "BYTES", "TRIES", "SINCE", "REASON");
    for (Entry each : entries) {
      table.row(
          List.of(
              PrintableText.safe(each.id()),
              PrintableText.word(each.state()),
              PrintableText.safe(each.destination()),
              orDash(each.orderingKey()),
              orDash(each.type()),
              Integer.toString(each.payloadBytes()),
              Integer.toString(each.attempts()),
              each.since().toString(),
              orDash(each.reason())));
    }
    return table.lines();
  }

  public static String orDash(String text) {
    return text.isEmpty() ? "-" : PrintableText.safe(text);
  }

  static String age(Optional<Duration> age) {
    return age.map(DurationText::brief).orElse("-");
  }
}
