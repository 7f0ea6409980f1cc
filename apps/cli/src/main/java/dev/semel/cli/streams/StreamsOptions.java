package dev.semel.cli.streams;

import dev.semel.InvalidInput;
import dev.semel.cli.CommandSettings;
import dev.semel.cli.Environment;
import dev.semel.cli.SemelCommand;
import dev.semel.cli.connect.OpenStreams;
import dev.semel.cli.connect.StreamUrls;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options for the streams of a command, and for its access. */
public final class StreamsOptions {
  public static final String TOKEN = "SEMEL_TOKEN";

  @Option(
      names = "--streams",
      paramLabel = "URL",
      description =
          "The streams: journal:DIR, nats://host:port, or http://host:port of a server (default:"
              + " the server at SEMEL_URL, else the data folder's own; SEMEL_STREAMS).")
  private @Nullable String streams;

  @Option(
      names = "--token",
      paramLabel = "FILE",
      description = "A file whose first word is the token for a server (or: SEMEL_TOKEN).")
  private @Nullable String token;

  /** Opens existing streams; creates nothing if there are none. */
  OpenStreams openExisting(SemelCommand semel) {
    return open(semel, false);
  }

  OpenStreams openOrMake(SemelCommand semel) {
    return open(semel, true);
  }

  private OpenStreams open(SemelCommand semel, boolean writes) {
    String url = semel.settings(CommandSettings.STREAMS, streams).streamsUrl();
    boolean remote = StreamUrls.remote(url);
    String shown = remote ? token(semel.around()) : "";
    return new OpenStreams(StreamUrls.open(url, semel.around(), shown, writes), remote);
  }

  private String token(Environment around) {
    if (token == null) {
      return around.variable(TOKEN);
    }
    try (Stream<String> lines = Files.lines(around.folder().resolve(token))) {
      return lines
          .map(String::strip)
          .filter(line -> !line.isEmpty() && !line.startsWith("#"))
          .findFirst()
          .map(line -> line.split("\\s+", 2)[0])
          .orElseThrow(() -> new InvalidInput("there is no token in the file of --token"));
    } catch (IOException | java.io.UncheckedIOException | InvalidPathException e) {
      throw new InvalidInput(
          "the file of --token can't be read: check that it is there, holds text and may be read");
    }
  }
}
