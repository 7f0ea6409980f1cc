package dev.semel.cli.streams;

import dev.semel.InvalidInput;
import dev.semel.cli.ExitCode;
import dev.semel.cli.OutputFormat;
import dev.semel.cli.SemelCommand;
import dev.semel.cli.connect.OpenStreams;
import dev.semel.json.Json;
import dev.semel.stream.ContentType;
import dev.semel.stream.Offset;
import dev.semel.stream.StreamPath;
import dev.semel.stream.spi.AppendBody;
import dev.semel.stream.spi.CreateRequest;
import dev.semel.stream.spi.StreamExpiry;
import dev.semel.stream.spi.StreamFork;
import dev.semel.stream.spi.StreamHead;
import dev.semel.stream.spi.StreamResult;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Creates a stream, unless it exists. */
@CommandLine.Command(
    name = "create",
    header = "Create a stream; one that is there already, just like that, is fine.",
    footer = {
      "",
      "Examples:",
      "  semel streams create orders --type application/json",
      "  semel streams create sessions/4711 --ttl 1h",
      "  semel streams create what-if --from orders"
    })
final class StreamsCreateCommand implements Callable<Integer> {
  private final SemelCommand semel;

  @Mixin private final StreamsOptions options = new StreamsOptions();

  @Parameters(paramLabel = "PATH", description = "The stream, such as orders/eu.")
  private @Nullable StreamPath path;

  @Option(
      names = "--type",
      paramLabel = "TYPE",
      description =
          "The content type; application/json keeps messages apart (default:"
              + " application/octet-stream, or the source's).")
  private @Nullable String type;

  @Option(
      names = "--ttl",
      paramLabel = "TIME",
      description = "It ends after this long without a read or a write, such as 1h.")
  private @Nullable Duration ttl;

  @Option(
      names = "--expires-at",
      paramLabel = "TIME",
      description = "It ends then, such as 2030-01-31T12:00:00Z.")
  private @Nullable String expiresAt;

  @Option(
      names = "--from",
      paramLabel = "SOURCE",
      description = "A fork: it begins with all that this stream holds now.")
  private @Nullable StreamPath source;

  @Option(
      names = "--at",
      paramLabel = "OFFSET",
      description = "With --from: only with what is in front of this offset.")
  private @Nullable String at;

  @Option(names = "--closed", description = "Closed from the beginning.")
  private boolean closed;

  StreamsCreateCommand(SemelCommand semel) {
    this.semel = semel;
  }

  @Override
  public Integer call() {
    StreamPath asked = SemelCommand.given(path);
    CreateRequest request = request(asked);
    OutputFormat format = semel.settings().output();
    try (OpenStreams open =
        source == null ? options.openOrMake(semel) : options.openExisting(semel)) {
      StreamResult.ToCreate answer = OpenStreams.get(open.streams().create(request));
      if (answer instanceof StreamResult.Created c) {
        print(c.head(), true, format);
      } else if (answer instanceof StreamResult.Existed e) {
        print(e.head(), false, format);
      } else {
        return StreamRefusal.tell(semel.console(), asked, answer);
      }
      return ExitCode.OK;
    }
  }

  private CreateRequest request(StreamPath asked) {
    if (at != null && source == null) {
      throw new InvalidInput("--at needs the stream to fork from: add --from");
    }
    return new CreateRequest(
        asked,
        Optional.ofNullable(type).map(ContentType::parse),
        StreamExpiry.parse(
            Optional.ofNullable(ttl).map(t -> seconds(t)), Optional.ofNullable(expiresAt)),
        closed,
        AppendBody.EMPTY,
        Optional.ofNullable(source)
            .map(from -> new StreamFork(from, Optional.ofNullable(at).map(Offset::parse), 0)));
  }

  private static String seconds(Duration time) {
    if (time.toNanosPart() != 0) {
      throw new InvalidInput("--ttl counts in whole seconds: round it");
    }
    return Long.toString(time.toSeconds());
  }

  private void print(StreamHead head, boolean created, OutputFormat format) {
    String line =
        switch (format) {
          case TABLE ->
              "%s %s, %s, tail %s"
                  .formatted(
                      created ? "created" : "there already:",
                      new StreamView(head).path(),
                      head.config().type(),
                      head.tail());
          case JSON, JSONL ->
              Json.object()
                  .with("path", head.path().text())
                  .with("created", created)
                  .with("content_type", head.config().type().text())
                  .with("tail", head.tail().text())
                  .with("closed", head.closed())
                  .write();
          case PLAIN -> head.tail().text();
        };
    semel.console().line(line);
  }
}
