package dev.semel.cli.streams;

import dev.semel.cli.ExitCode;
import dev.semel.cli.OutputFormat;
import dev.semel.cli.SemelCommand;
import dev.semel.cli.connect.OpenStreams;
import dev.semel.json.Json;
import dev.semel.stream.StreamPath;
import dev.semel.stream.spi.StreamResult;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Commands on a stream's producers. */
@CommandLine.Command(
    name = "producers",
    header = "List a stream's producers; shut one out.",
    synopsisSubcommandLabel = "COMMAND",
    footer = {
      "",
      "Examples:",
      "  semel producers list orders",
      "  semel producers fence orders importer-7"
    })
public final class ProducersCommand {
  private ProducersCommand() {}

  public static CommandLine with(SemelCommand semel) {
    CommandLine producers = new CommandLine(new ProducersCommand());
    producers.addSubcommand(new Listing(semel));
    producers.addSubcommand(new Fencing(semel));
    return producers;
  }

  /** Lists producers. */
  @CommandLine.Command(
      name = "list",
      header = "List the producers that a stream remembers.",
      footer = {"", "Example:", "  semel producers list orders -o json"})
  static final class Listing implements Callable<Integer> {
    private final SemelCommand semel;

    @Mixin private final StreamsOptions options = new StreamsOptions();

    @Parameters(paramLabel = "STREAM", description = "The stream, such as orders/eu.")
    private @Nullable StreamPath path;

    Listing(SemelCommand semel) {
      this.semel = semel;
    }

    @Override
    public Integer call() {
      StreamPath asked = SemelCommand.given(path);
      OutputFormat format = semel.settings().output();
      try (OpenStreams open = options.openExisting(semel)) {
        StreamResult.ToHead there = OpenStreams.get(open.streams().head(asked));
        if (!(there instanceof StreamResult.Found)) {
          return StreamRefusal.tell(semel.console(), asked, there);
        }
        List<StreamResult.Producer> producers = OpenStreams.get(open.streams().producers(asked));
        ProducerView.lines(producers, format).forEach(semel.console()::line);
        if (producers.isEmpty() && format == OutputFormat.TABLE) {
          semel.console().note("no producers");
        }
        return ExitCode.OK;
      }
    }
  }

  /** Fences one. */
  @CommandLine.Command(
      name = "fence",
      header = "Shut out all lives of a producer up to now: what they send is refused.",
      footer = {
        "",
        "The producer goes on by beginning a new epoch: the one given, or any above it.",
        "",
        "Example:",
        "  semel producers fence orders importer-7"
      })
  static final class Fencing implements Callable<Integer> {
    private final SemelCommand semel;

    @Mixin private final StreamsOptions options = new StreamsOptions();

    @Parameters(index = "0", paramLabel = "STREAM", description = "The stream, such as orders/eu.")
    private @Nullable StreamPath path;

    @Parameters(index = "1", paramLabel = "ID", description = "The producer.")
    private @Nullable String id;

    @Option(
        names = "--epoch",
        paramLabel = "N",
        description = "Shut out the epochs below this one (default: its epoch + 1).")
    private @Nullable Long epoch;

    Fencing(SemelCommand semel) {
      this.semel = semel;
    }

    @Override
    public Integer call() {
      StreamPath asked = SemelCommand.given(path);
      OutputFormat format = semel.settings().output();
      try (OpenStreams open = options.openExisting(semel)) {
        StreamResult.ToHead there = OpenStreams.get(open.streams().head(asked));
        if (!(there instanceof StreamResult.Found)) {
          return StreamRefusal.tell(semel.console(), asked, there);
        }
        // Prefers a producer that counts its epochs to one of the older dialect with the same name.
        Optional<StreamResult.Producer> found =
            OpenStreams.get(open.streams().producers(asked)).stream()
                .filter(p -> p.id().equals(id))
                .findFirst();
        if (found.isEmpty()) {
          semel
              .console()
              .complain(
                  "the stream %s knows no producer %s".formatted(asked, SemelCommand.given(id)));
          return ExitCode.NOT_FOUND;
        }
        return fence(open, asked, found.get(), format);
      }
    }

    private int fence(
        OpenStreams open, StreamPath asked, StreamResult.Producer producer, OutputFormat format) {
      long wanted = epoch == null ? producer.epoch() + 1 : epoch;
      boolean fenced =
          OpenStreams.get(open.streams().fence(asked, producer.id(), producer.managed(), wanted));
      if (!fenced) {
        semel
            .console()
            .complain(
                "%s has reached epoch %d already: use a higher one"
                    .formatted(producer.id(), Math.max(wanted, producer.epoch())));
        return ExitCode.CONFLICT;
      }
      semel
          .console()
          .line(
              format.machine()
                  ? Json.object()
                      .with("stream", asked.text())
                      .with("id", producer.id())
                      .with("epoch", wanted)
                      .with("fenced", true)
                      .write()
                  : "fenced %s: epochs below %d are refused"
                      .formatted(dev.semel.internal.PrintableText.safe(producer.id()), wanted));
      return ExitCode.OK;
    }
  }
}
