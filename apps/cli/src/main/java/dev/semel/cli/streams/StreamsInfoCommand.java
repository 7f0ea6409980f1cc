package dev.semel.cli.streams;

import dev.semel.cli.ByteSizes;
import dev.semel.cli.Console;
import dev.semel.cli.ExitCode;
import dev.semel.cli.OutputFormat;
import dev.semel.cli.SemelCommand;
import dev.semel.cli.connect.OpenStreams;
import dev.semel.stream.StreamPath;
import dev.semel.stream.spi.StreamHead;
import dev.semel.stream.spi.StreamResult;
import dev.semel.stream.spi.Streams;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Shows one stream. */
@CommandLine.Command(
    name = "info",
    header = "Show a stream and its producers.",
    footer = {"", "Example:", "  semel streams info orders/eu -o json"})
final class StreamsInfoCommand implements Callable<Integer> {
  private final SemelCommand semel;

  @Mixin private final StreamsOptions options = new StreamsOptions();

  @Parameters(paramLabel = "PATH", description = "The stream, such as orders/eu.")
  private @Nullable StreamPath path;

  StreamsInfoCommand(SemelCommand semel) {
    this.semel = semel;
  }

  /** Finds it in the list, which has more details than the protocol's answer for one stream. */
  static @Nullable StreamHead found(Streams streams, StreamPath path) {
    List<StreamHead> found = OpenStreams.get(streams.list(path.text(), "", 1));
    return found.isEmpty() || !found.get(0).path().equals(path) ? null : found.get(0);
  }

  @Override
  public Integer call() {
    StreamPath asked = SemelCommand.given(path);
    OutputFormat format = semel.settings().output();
    try (OpenStreams open = options.openExisting(semel)) {
      StreamResult.ToHead there = OpenStreams.get(open.streams().head(asked));
      if (!(there instanceof StreamResult.Found f)) {
        return StreamRefusal.tell(semel.console(), asked, there);
      }
      StreamHead listed = found(open.streams(), asked);
      StreamView view = new StreamView(listed == null ? f.head() : listed);
      List<StreamResult.Producer> producers = OpenStreams.get(open.streams().producers(asked));
      if (format.machine()) {
        semel
            .console()
            .line(
                view.json()
                    .with(
                        "producers",
                        producers.stream().map(p -> new ProducerView(p).json().build()).toList())
                    .write());
      } else {
        print(view, producers, format);
      }
      return ExitCode.OK;
    }
  }

  private void print(StreamView view, List<StreamResult.Producer> producers, OutputFormat format) {
    Map<String, String> lines = new LinkedHashMap<>();
    lines.put("path", view.path());
    lines.put("type", view.type());
    lines.put("state", view.state());
    lines.put(
        "size",
        format == OutputFormat.PLAIN ? Long.toString(view.bytes()) : ByteSizes.text(view.bytes()));
    lines.put("start", view.head().start().text());
    lines.put("tail", view.head().tail().text());
    lines.put("expires", view.expiry());
    view.head().config().fork().ifPresent(f -> lines.put("forked from", f.source().text()));
    lines.put("producers", Integer.toString(producers.size()));
    Console console = semel.console();
    console.pairs(lines, format);
    if (format == OutputFormat.TABLE && !producers.isEmpty()) {
      console.line("");
      ProducerView.lines(producers, format).forEach(console::line);
    }
  }
}
