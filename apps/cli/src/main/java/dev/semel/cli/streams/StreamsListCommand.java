package dev.semel.cli.streams;

import dev.semel.InvalidInput;
import dev.semel.cli.Console;
import dev.semel.cli.ExitCode;
import dev.semel.cli.OutputFormat;
import dev.semel.cli.SemelCommand;
import dev.semel.cli.ShellWord;
import dev.semel.cli.TextTable;
import dev.semel.cli.connect.OpenStreams;
import dev.semel.internal.PrintableText;
import dev.semel.json.Json;
import dev.semel.json.JsonObjectBuilder;
import dev.semel.stream.spi.StreamHead;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Lists streams, a page at a time. */
@CommandLine.Command(
    name = "list",
    header = "List streams, in the order of their paths.",
    footer = {
      "",
      "Examples:",
      "  semel streams list --prefix orders/",
      "  semel streams list -o jsonl | jq -r 'select(.closed).path'"
    })
final class StreamsListCommand implements Callable<Integer> {
  private static final int MAX_LIMIT = 10_000;

  private final SemelCommand semel;

  @Mixin private final StreamsOptions options = new StreamsOptions();

  @Option(
      names = "--prefix",
      paramLabel = "TEXT",
      defaultValue = "",
      description = "Only streams whose path starts with this.")
  private String prefix = "";

  @Option(
      names = "--limit",
      paramLabel = "N",
      defaultValue = "100",
      description = "How many at most (default: ${DEFAULT-VALUE}).")
  private int limit = 100;

  @Option(
      names = "--after",
      paramLabel = "PATH",
      defaultValue = "",
      description = "Go on behind this one, the last of the page before.")
  private String after = "";

  StreamsListCommand(SemelCommand semel) {
    this.semel = semel;
  }

  @Override
  public Integer call() {
    if (limit < 1 || limit > MAX_LIMIT) {
      throw new InvalidInput("--limit is from 1 to %d: use --after to go on".formatted(MAX_LIMIT));
    }
    OutputFormat format = semel.settings().output();
    try (OpenStreams open = options.openExisting(semel)) {
      List<StreamHead> found = OpenStreams.get(open.streams().list(prefix, after, limit + 1));
      boolean more = found.size() > limit;
      List<StreamView> shown = found.stream().limit(limit).map(StreamView::new).toList();
      print(shown, more, format);
      if (more && format != OutputFormat.JSON) {
        String last = shown.get(limit - 1).head().path().text();
        semel.console().note("there are more: go on with --after " + ShellWord.of(last));
      }
      if (shown.isEmpty() && format == OutputFormat.TABLE) {
        semel
            .console()
            .note(
                prefix.isEmpty()
                    ? "no streams"
                    : "no stream starts with " + PrintableText.quoted(prefix));
      }
    }
    return ExitCode.OK;
  }

  private void print(List<StreamView> shown, boolean more, OutputFormat format) {
    Console console = semel.console();
    switch (format) {
      case TABLE -> {
        if (!shown.isEmpty()) {
          TextTable table = new TextTable(StreamView.HEADINGS);
          shown.forEach(view -> table.row(view.cells()));
          table.lines().forEach(console::line);
        }
      }
      case JSON -> {
        JsonObjectBuilder all =
            Json.object().with("streams", shown.stream().map(v -> v.json().build()).toList());
        console.line(
            (more
                    ? all.with("next", shown.get(limit - 1).head().path().text())
                    : all.withNull("next"))
                .write());
      }
      case JSONL -> shown.forEach(view -> console.line(view.json().write()));
      case PLAIN -> shown.forEach(view -> console.line(view.plain()));
    }
  }
}
