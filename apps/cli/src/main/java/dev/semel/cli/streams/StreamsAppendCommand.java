package dev.semel.cli.streams;

import dev.semel.InvalidInput;
import dev.semel.cli.ExitCode;
import dev.semel.cli.OutputFormat;
import dev.semel.cli.SemelCommand;
import dev.semel.cli.connect.OpenStreams;
import dev.semel.json.Json;
import dev.semel.stream.ContentType;
import dev.semel.stream.Offset;
import dev.semel.stream.StreamLimits;
import dev.semel.stream.StreamPath;
import dev.semel.stream.spi.CreateRequest;
import dev.semel.stream.spi.StreamResult;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Appends standard input. */
@CommandLine.Command(
    name = "append",
    header = "Append lines from standard input, each of them once.",
    description = {
      "",
      "A line of a JSON stream is one message; of other streams it is its bytes, with the line's"
          + " end. A batch whose answer was lost is sent again as the same batch of the same"
          + " producer, so nothing is written twice.",
      ""
    },
    footer = {
      "",
      "Examples:",
      "  tail -F app.log | semel streams append logs --create --type text/plain",
      "  semel streams append orders --close < orders.jsonl",
      "  semel streams append pictures/4711 --raw --create --type image/png < a.png"
    })
final class StreamsAppendCommand implements Callable<Integer> {
  private final SemelCommand semel;

  @Mixin private final StreamsOptions options = new StreamsOptions();

  @Parameters(paramLabel = "PATH", description = "The stream, such as orders/eu.")
  private @Nullable StreamPath path;

  @Option(
      names = "--type",
      paramLabel = "TYPE",
      description = "The content type (default: the stream's own).")
  private @Nullable String type;

  @Option(names = "--create", description = "Create the stream first, if it is not there.")
  private boolean create;

  @Option(names = "--close", description = "Close the stream with the last line.")
  private boolean close;

  @Option(names = "--raw", description = "All of standard input is one append, up to 16 MiB.")
  private boolean raw;

  @Option(
      names = "--producer",
      paramLabel = "ID",
      description =
          "Append under this name; whoever did so before is fenced (default: a name of its own).")
  private @Nullable String producer;

  @Option(
      names = "--timeout",
      paramLabel = "TIME",
      defaultValue = "30s",
      description = "How long to try when the server can't be asked (default: ${DEFAULT-VALUE}).")
  private Duration timeout = Duration.ofSeconds(30);

  StreamsAppendCommand(SemelCommand semel) {
    this.semel = semel;
  }

  @Override
  public Integer call() throws IOException {
    StreamPath asked = SemelCommand.given(path);
    ContentType named = type == null ? null : ContentType.parse(type);
    String id = producer == null ? "" : BatchSender.checkedId(producer);
    OutputFormat format = semel.settings().output();
    try (OpenStreams open = create ? options.openOrMake(semel) : options.openExisting(semel)) {
      ContentType used = named;
      if (create) {
        StreamResult.ToCreate made = create(open, asked, named);
        if (made instanceof StreamResult.Created c) {
          used = c.head().config().type();
        } else if (made instanceof StreamResult.Existed e) {
          used = e.head().config().type();
        } else if (!(made instanceof StreamResult.Conflict)) {
          return StreamRefusal.tell(semel.console(), asked, made);
        }
      }
      if (used == null) {
        StreamResult.ToHead there = OpenStreams.get(open.streams().head(asked));
        if (!(there instanceof StreamResult.Found f)) {
          return StreamRefusal.tell(semel.console(), asked, there);
        }
        used = f.head().config().type();
      }
      RetryPeriod patience = new RetryPeriod(semel.console(), timeout);
      return append(new BatchSender(open, asked, used, id, patience), asked, used, format);
    }
  }

  /** An existing stream with other settings is fine too: the append fails if its type differs. */
  private static StreamResult.ToCreate create(
      OpenStreams open, StreamPath asked, @Nullable ContentType named) {
    ContentType wanted = named == null ? ContentType.BYTES : named;
    return OpenStreams.get(open.streams().create(CreateRequest.of(asked, wanted)));
  }

  private int append(BatchSender sender, StreamPath asked, ContentType used, OutputFormat format)
      throws IOException {
    AppendProgress progress = new AppendProgress(semel.console());
    try {
      if (raw) {
        raw(sender, progress);
      } else {
        lines(new LineBatches(semel.console().streams().in(), used.json()), sender, progress);
      }
    } catch (BatchSender.Refused e) {
      progress.clear();
      semel.console().complain(e.refusal().message());
      progress.tellAppended();
      return e.refusal().code();
    } catch (InvalidInput | dev.semel.StoreException e) {
      progress.clear();
      progress.tellAppended();
      throw e;
    }
    progress.clear();
    print(asked, sender, progress, format);
    return ExitCode.OK;
  }

  private void lines(LineBatches batches, BatchSender sender, AppendProgress progress)
      throws IOException {
    LineBatches.Batch batch;
    do {
      batch = batches.next();
      boolean closes = close && batch.last();
      if (batch.lines() > 0 || closes) {
        Offset end = sender.send(batch.body(), closes);
        progress.sent(batch.lines(), batch.body().length, end);
      }
    } while (!batch.last());
  }

  private void raw(BatchSender sender, AppendProgress progress) throws IOException {
    int max = StreamLimits.defaults().bodyBytes();
    InputStream in = semel.console().streams().in();
    byte[] body = in.readNBytes(max + 1);
    if (body.length > max) {
      throw new InvalidInput(
          "the input is over the limit of %d bytes for one append: leave --raw out".formatted(max));
    }
    if (body.length > 0 || close) {
      Offset end = sender.send(body, close);
      progress.sent(1, body.length, end);
    }
  }

  private void print(
      StreamPath asked, BatchSender sender, AppendProgress progress, OutputFormat format) {
    String next = progress.end().map(Offset::text).orElse("");
    String line =
        switch (format) {
          case TABLE ->
              progress.end().isEmpty()
                  ? "nothing to append"
                  : "appended %s to %s%s, tail %s"
                      .formatted(progress.amount(), asked, close ? " and closed it" : "", next);
          case JSON, JSONL ->
              Json.object()
                  .with("path", asked.text())
                  .with("lines", progress.lines())
                  .with("bytes", progress.bytes())
                  .with("closed", close)
                  .withUnlessEmpty("tail", next)
                  .with("producer", sender.producer())
                  .with("epoch", sender.epoch())
                  .write();
          case PLAIN -> next;
        };
    semel.console().line(line);
  }
}
