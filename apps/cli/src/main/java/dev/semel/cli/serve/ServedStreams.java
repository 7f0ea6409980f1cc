package dev.semel.cli.serve;

import dev.semel.InvalidInput;
import dev.semel.StoreException;
import dev.semel.cli.connect.StreamUrls;
import dev.semel.nats.JetStreamLog;
import dev.semel.nats.StreamsSettings;
import dev.semel.server.http.FileDescriptors;
import dev.semel.stream.JournalStreams;
import dev.semel.stream.MemoryStreams;
import dev.semel.stream.SharedStreams;
import dev.semel.stream.StreamLimits;
import dev.semel.stream.StreamRetention;
import dev.semel.stream.spi.Streams;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Streams that this process serves.
 *
 * @param where their location, for people
 * @param failed completes when the engine can't promise anything any more
 */
record ServedStreams(Streams streams, String where, CompletionStage<StoreException> failed)
    implements AutoCloseable {
  /**
   * Opens an engine by its URL.
   *
   * @param folder base of relative paths
   */
  static ServedStreams open(String url, Path folder, StreamRetention retention) {
    return switch (StreamUrls.scheme(url)) {
      case "memory" ->
          new ServedStreams(
              new MemoryStreams(InstantSource.system(), StreamLimits.defaults(), retention),
              "in memory",
              new CompletableFuture<>());
      case "journal" -> journal(StreamUrls.journalFolder(url, folder), retention);
      case "nats", "tls" -> shared(StreamsSettings.parse(url), retention);
      case "http", "https" ->
          throw new InvalidInput("a server can't serve another one's streams: use journal:DIR");
      default -> throw StreamUrls.unknown(url);
    };
  }

  private static ServedStreams journal(Path folder, StreamRetention retention) {
    JournalStreams.Settings usual = JournalStreams.Settings.defaults();
    JournalStreams engine =
        JournalStreams.open(
            folder,
            InstantSource.system(),
            usual
                .with(StreamLimits.defaults(), retention)
                .withOpenFiles(FileDescriptors.now().files(usual.openFiles())));
    return new ServedStreams(engine, "journal in " + folder, engine.failed());
  }

  private static ServedStreams shared(StreamsSettings settings, StreamRetention retention) {
    if (!retention.equals(StreamRetention.FOR_EVER)) {
      throw new InvalidInput(
          "streams on NATS keep all their data: leave --retain-bytes and --retain-age out");
    }
    SharedStreams engine = JetStreamLog.openStreams(settings);
    return new ServedStreams(engine, "shared on NATS at " + settings.shown(), engine.failed());
  }

  @Override
  public void close() {
    streams.close();
  }
}
