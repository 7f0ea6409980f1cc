package dev.semel.cli.streams;

import dev.semel.InvalidInput;
import dev.semel.cli.ExitCode;
import dev.semel.cli.OutputFormat;
import dev.semel.cli.SemelCommand;
import dev.semel.cli.connect.OpenStreams;
import dev.semel.stream.ContentType;
import dev.semel.stream.Offset;
import dev.semel.stream.StreamPath;
import dev.semel.stream.spi.DataSlice;
import dev.semel.stream.spi.ReadFrom;
import dev.semel.stream.spi.StreamResult;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Writes a stream's data to standard output. */
@CommandLine.Command(
    name = "read",
    header = "Write what a stream holds to standard output.",
    description = {
      "",
      "Bytes as they are; of JSON one message a line, or with -o json all of them as one array.",
      ""
    },
    footer = {
      "",
      "Examples:",
      "  semel streams read orders | jq .id",
      "  semel streams read orders --from 0000000000000000_0000000000000042 --limit 10"
    })
final class StreamsReadCommand implements Callable<Integer> {
  /** Limit of one read. */
  static final int CHUNK_BYTES = 1 << 20;

  private final SemelCommand semel;

  @Mixin private final StreamsOptions options = new StreamsOptions();

  @Parameters(paramLabel = "PATH", description = "The stream, such as orders/eu.")
  private @Nullable StreamPath path;

  @Option(
      names = "--from",
      paramLabel = "OFFSET",
      defaultValue = "-1",
      description = "An offset as it was given out, -1: the beginning, now: the end (default: -1).")
  private String from = "-1";

  @Option(
      names = "--limit",
      paramLabel = "N",
      description = "So many messages of JSON, or bytes of anything else, at most.")
  private long limit = Long.MAX_VALUE;

  StreamsReadCommand(SemelCommand semel) {
    this.semel = semel;
  }

  @Override
  public Integer call() {
    if (limit < 1) {
      throw new InvalidInput("--limit is at least 1");
    }
    StreamPath asked = SemelCommand.given(path);
    ReadFrom at = ReadFrom.parse(from);
    OutputFormat format = semel.settings().output();
    try (OpenStreams open = options.openExisting(semel)) {
      StreamResult.ToRead answer = OpenStreams.get(open.streams().read(asked, at, CHUNK_BYTES));
      if (!(answer instanceof StreamResult.Data first)) {
        return StreamRefusal.tell(semel.console(), asked, answer);
      }
      checkFormat(first.slice().head().config().type(), format);
      SliceWriter writer =
          new SliceWriter(semel.console().streams(), format == OutputFormat.JSON, limit);
      int code = copy(open, asked, first.slice(), writer);
      writer.end();
      return code;
    }
  }

  static void checkFormat(ContentType type, OutputFormat format) {
    if (format.machine() && !type.json()) {
      throw new InvalidInput(
          "the stream holds %s, which can't be shown as JSON: use -o plain".formatted(type));
    }
  }

  private int copy(OpenStreams open, StreamPath asked, DataSlice first, SliceWriter writer) {
    DataSlice slice = first;
    while (true) {
      Offset reached = writer.write(slice);
      boolean whole = reached.equals(slice.next());
      if (whole && (slice.upToDate() || slice.closed())) {
        return ExitCode.OK;
      }
      if (!writer.wants()) {
        semel.console().note("there is more: go on with --from " + reached);
        return ExitCode.OK;
      }
      StreamResult.ToRead answer =
          OpenStreams.get(open.streams().read(asked, new ReadFrom.At(slice.next()), CHUNK_BYTES));
      if (!(answer instanceof StreamResult.Data data)) {
        return StreamRefusal.tell(semel.console(), asked, answer);
      }
      slice = data.slice();
    }
  }
}
