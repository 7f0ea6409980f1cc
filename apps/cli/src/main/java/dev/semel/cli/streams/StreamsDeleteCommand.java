package dev.semel.cli.streams;

import dev.semel.cli.ByteSizes;
import dev.semel.cli.ExitCode;
import dev.semel.cli.OutputFormat;
import dev.semel.cli.SemelCommand;
import dev.semel.cli.connect.OpenStreams;
import dev.semel.json.Json;
import dev.semel.stream.StreamPath;
import dev.semel.stream.spi.StreamHead;
import dev.semel.stream.spi.StreamResult;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Removes a stream and its data. */
@CommandLine.Command(
    name = "delete",
    header = "Delete a stream, its data and what is known of its producers.",
    footer = {
      "",
      "Forks keep what they share with it.",
      "",
      "Example:",
      "  semel streams delete orders/2019 -y"
    })
final class StreamsDeleteCommand implements Callable<Integer> {
  private final SemelCommand semel;

  @Mixin private final StreamsOptions options = new StreamsOptions();

  @Parameters(paramLabel = "PATH", description = "The stream, such as orders/eu.")
  private @Nullable StreamPath path;

  @Option(
      names = {"-y", "--yes"},
      description = "Don't ask.")
  private boolean yes;

  StreamsDeleteCommand(SemelCommand semel) {
    this.semel = semel;
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
      if (!semel.console().confirm(touched(open, f.head()), yes)) {
        semel.console().complain("nothing was done");
        return ExitCode.FAILED;
      }
      StreamResult.ToDelete answer = OpenStreams.get(open.streams().delete(asked));
      if (!(answer instanceof StreamResult.Deleted)) {
        return StreamRefusal.tell(semel.console(), asked, answer);
      }
      semel
          .console()
          .line(
              format.machine()
                  ? Json.object().with("path", asked.text()).with("deleted", true).write()
                  : "deleted " + asked);
      return ExitCode.OK;
    }
  }

  private static String touched(OpenStreams open, StreamHead head) {
    StreamHead listed = StreamsInfoCommand.found(open.streams(), head.path());
    StreamView view = new StreamView(listed == null ? head : listed);
    int producers = OpenStreams.get(open.streams().producers(head.path())).size();
    return "delete the stream %s with %s of %s and %d producers: this can't be taken back"
        .formatted(view.path(), ByteSizes.text(view.bytes()), view.type(), producers);
  }
}
