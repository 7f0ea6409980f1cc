package dev.semel.cli.streams;

import dev.semel.cli.ExitCode;
import dev.semel.cli.OutputFormat;
import dev.semel.cli.SemelCommand;
import dev.semel.cli.connect.OpenStreams;
import dev.semel.json.Json;
import dev.semel.stream.StreamPath;
import dev.semel.stream.spi.AppendRequest;
import dev.semel.stream.spi.StreamResult;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Closes a stream for good. */
@CommandLine.Command(
    name = "close",
    header = "Close a stream: it can be read on, but never be appended to again.",
    footer = {"", "Closing twice is fine.", "", "Example:", "  semel streams close orders/2026"})
final class StreamsCloseCommand implements Callable<Integer> {
  private final SemelCommand semel;

  @Mixin private final StreamsOptions options = new StreamsOptions();

  @Parameters(paramLabel = "PATH", description = "The stream, such as orders/eu.")
  private @Nullable StreamPath path;

  StreamsCloseCommand(SemelCommand semel) {
    this.semel = semel;
  }

  @Override
  public Integer call() {
    StreamPath asked = SemelCommand.given(path);
    OutputFormat format = semel.settings().output();
    try (OpenStreams open = options.openExisting(semel)) {
      StreamResult.ToAppend answer =
          OpenStreams.get(open.streams().append(asked, AppendRequest.closeOnly()));
      if (!(answer instanceof StreamResult.Closed c)) {
        return StreamRefusal.tell(semel.console(), asked, answer);
      }
      String line =
          switch (format) {
            case TABLE -> "closed %s at %s".formatted(asked, c.next());
            case JSON, JSONL ->
                Json.object()
                    .with("path", asked.text())
                    .with("closed", true)
                    .with("tail", c.next().text())
                    .write();
            case PLAIN -> c.next().text();
          };
      semel.console().line(line);
      return ExitCode.OK;
    }
  }
}
