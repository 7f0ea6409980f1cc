package dev.semel.cli.operate;

import dev.semel.Operation;
import dev.semel.admin.document.internal.AdviceDocument;
import dev.semel.advice.Advice;
import dev.semel.advice.Recommendations;
import dev.semel.cli.ByteSizes;
import dev.semel.cli.OutputFormat;
import dev.semel.cli.SemelCommand;
import dev.semel.internal.PrintableText;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Renders recommendations. */
record AdviceView(Recommendations counsel, SemelCommand semel) {
  private static final String INDENT = "    ";

  List<String> lines(OutputFormat format) {
    return switch (format) {
      case TABLE -> table();
      case JSON -> List.of(AdviceDocument.json(counsel).write());
      case JSONL ->
          counsel.advice().stream().map(advice -> AdviceDocument.json(advice).write()).toList();
      case PLAIN -> counsel.advice().stream().map(AdviceView::plain).toList();
    };
  }

  /** Lines for the applied changes. */
  List<String> applied(List<Advice> changed, OutputFormat format) {
    return switch (format) {
      case TABLE, PLAIN ->
          changed.stream()
              .map(advice -> "%s: %s".formatted(about(advice), change(advice)))
              .toList();
      case JSON ->
          List.of(
              AdviceDocument.json(counsel)
                  .with(
                      "applied",
                      changed.stream().map(each -> AdviceDocument.json(each).build()).toList())
                  .write());
      case JSONL -> changed.stream().map(advice -> AdviceDocument.json(advice).write()).toList();
    };
  }

  private List<String> table() {
    List<String> lines = new ArrayList<>();
    for (Advice advice : counsel.advice()) {
      lines.add(semel.console().bold("%s: %s".formatted(about(advice), safe(advice.title()))));
      lines.add(INDENT + safe(advice.why()));
      lines.add(INDENT + safe(advice.todo()));
      if (advice.savedBytes() != 0) {
        lines.add(INDENT + saved(advice.savedBytes()));
      }
      if (advice.applicable()) {
        lines.add(
            INDENT
                + semel
                    .console()
                    .dim(semel.hint("queues set " + about(advice) + " " + change(advice))));
      }
    }
    if (counsel.advice().isEmpty()) {
      lines.add("nothing to tune");
    }
    counsel.withheld().forEach(each -> lines.add("%s: %s".formatted(each.operation(), each.why())));
    return lines;
  }

  private static String saved(long bytes) {
    return bytes > 0
        ? "The store would hold about %s less.".formatted(ByteSizes.text(bytes))
        : "The store would hold about %s more.".formatted(ByteSizes.text(-bytes));
  }

  static String about(Advice advice) {
    return advice.operation().map(Operation::name).orElse("-");
  }

  /** The change as arguments of {@code queues set}. */
  static String change(Advice advice) {
    return advice.change().entrySet().stream()
        .map(change -> change.getKey().text() + "=" + change.getValue())
        .collect(Collectors.joining(" "));
  }

  private static String plain(Advice advice) {
    return String.join(
        "\t",
        about(advice),
        PrintableText.word(advice.topic()),
        change(advice),
        Long.toString(advice.savedBytes()),
        safe(advice.title()));
  }

  private static String safe(String text) {
    return PrintableText.safe(text);
  }
}
