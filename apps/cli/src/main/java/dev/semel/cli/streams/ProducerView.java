package dev.semel.cli.streams;

import dev.semel.cli.OutputFormat;
import dev.semel.cli.TextTable;
import dev.semel.internal.DurationText;
import dev.semel.internal.PrintableText;
import dev.semel.json.Json;
import dev.semel.json.JsonObjectBuilder;
import dev.semel.stream.spi.StreamResult;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** Renders a producer. */
record ProducerView(StreamResult.Producer producer) {
  private static final String[] HEADINGS = {"PRODUCER", "EPOCH", "LAST SEQ", "LAST USED", "EPOCHS"};

  static List<String> lines(List<StreamResult.Producer> producers, OutputFormat format) {
    List<ProducerView> views = producers.stream().map(ProducerView::new).toList();
    return switch (format) {
      case TABLE -> {
        TextTable table = new TextTable(HEADINGS);
        views.forEach(view -> table.row(view.cells()));
        yield views.isEmpty() ? List.of() : table.lines();
      }
      case JSON ->
          List.of(
              Json.object()
                  .with("producers", views.stream().map(v -> v.json().build()).toList())
                  .write());
      case JSONL -> views.stream().map(v -> v.json().write()).toList();
      case PLAIN -> views.stream().map(v -> String.join("\t", v.plain())).toList();
    };
  }

  private String lastSeq() {
    return producer.lastSeq().isPresent() ? Long.toString(producer.lastSeq().getAsLong()) : "-";
  }

  private String kind() {
    return producer.managed() ? "by the server" : "its own";
  }

  private List<String> cells() {
    Duration ago = Duration.between(Instant.ofEpochMilli(producer.lastUsed()), Instant.now());
    return List.of(
        PrintableText.safe(producer.id()),
        Long.toString(producer.epoch()),
        lastSeq(),
        DurationText.brief(ago.isNegative() ? Duration.ZERO : ago) + " ago",
        kind());
  }

  private List<String> plain() {
    return List.of(
        PrintableText.safe(producer.id()),
        Long.toString(producer.epoch()),
        lastSeq(),
        Instant.ofEpochMilli(producer.lastUsed()).toString(),
        producer.managed() ? "managed" : "declared");
  }

  JsonObjectBuilder json() {
    JsonObjectBuilder members =
        Json.object()
            .with("id", producer.id())
            .with("managed", producer.managed())
            .with("epoch", producer.epoch());
    if (producer.lastSeq().isPresent()) {
      members.with("last_seq", producer.lastSeq().getAsLong());
    }
    return members.with("last_used", Instant.ofEpochMilli(producer.lastUsed()).toString());
  }
}
