package dev.semel.cli.streams;

import dev.semel.StoreException;
import dev.semel.cli.ExitCode;
import dev.semel.cli.OutputFormat;
import dev.semel.cli.SemelCommand;
import dev.semel.cli.connect.OpenStreams;
import dev.semel.stream.Offset;
import dev.semel.stream.StreamPath;
import dev.semel.stream.spi.DataSlice;
import dev.semel.stream.spi.ReadFrom;
import dev.semel.stream.spi.StreamResult;
import dev.semel.stream.spi.Streams;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Follows a stream. */
@CommandLine.Command(
    name = "tail",
    header = "Follow a stream: write what comes, until it is closed or Ctrl-C.",
    description = {
      "",
      "Bytes as they are; of JSON one message a line. A server that can't be asked for a while is"
          + " asked again, and nothing is left out or written twice.",
      ""
    },
    footer = {
      "",
      "Example:",
      "  SEMEL_URL=http://127.0.0.1:4437 semel streams tail orders --from -1"
    })
final class StreamsTailCommand implements Callable<Integer> {
  private final SemelCommand semel;

  @Mixin private final StreamsOptions options = new StreamsOptions();

  @Parameters(paramLabel = "PATH", description = "The stream, such as orders/eu.")
  private @Nullable StreamPath path;

  @Option(
      names = "--from",
      paramLabel = "OFFSET",
      defaultValue = "now",
      description =
          "An offset as it was given out, -1: the beginning, now: the end (default: now).")
  private String from = "now";

  @Option(
      names = "--timeout",
      paramLabel = "TIME",
      defaultValue = "30s",
      description = "How long a server may be away (default: ${DEFAULT-VALUE}).")
  private Duration timeout = Duration.ofSeconds(30);

  StreamsTailCommand(SemelCommand semel) {
    this.semel = semel;
  }

  @Override
  public Integer call() throws InterruptedException {
    StreamPath asked = SemelCommand.given(path);
    OutputFormat format = semel.settings().output();
    ReadFrom at = ReadFrom.parse(from);
    SliceWriter writer = null;
    try (OpenStreams open = options.openExisting(semel)) {
      RetryPeriod patience = new RetryPeriod(semel.console(), timeout);
      while (true) {
        StreamResult.ToRead answer;
        try {
          answer = read(open, asked, at);
        } catch (StoreException e) {
          // Only a server that has answered before may come back.
          if (writer == null || !open.remote()) {
            throw e;
          }
          patience.afterFailure(e, "the stream was followed up to " + from);
          continue;
        }
        patience.restored();
        if (!(answer instanceof StreamResult.Data data)) {
          return StreamRefusal.tell(semel.console(), asked, answer);
        }
        DataSlice slice = data.slice();
        if (writer == null) {
          StreamsReadCommand.checkFormat(slice.head().config().type(), format);
          writer = new SliceWriter(semel.console().streams(), false, Long.MAX_VALUE);
        }
        Offset reached = writer.write(slice);
        writer.end();
        from = reached.text();
        at = new ReadFrom.At(reached);
        if (slice.closed() || !writer.wants()) {
          return ExitCode.OK;
        }
        if (slice.upToDate()) {
          awaitMore(open, asked, reached);
        }
      }
    }
  }

  private static StreamResult.ToRead read(OpenStreams open, StreamPath path, ReadFrom at) {
    return OpenStreams.get(open.streams().read(path, at, StreamsReadCommand.CHUNK_BYTES));
  }

  private static void awaitMore(OpenStreams open, StreamPath path, Offset beyond)
      throws InterruptedException {
    CountDownLatch woken = new CountDownLatch(1);
    // This process has no other waiting reader, so there is room.
    Streams.Waiting unused = open.streams().await(path, beyond, woken::countDown).orElseThrow();
    woken.await();
  }
}
