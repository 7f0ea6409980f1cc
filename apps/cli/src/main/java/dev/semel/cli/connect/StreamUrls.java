package dev.semel.cli.connect;

import dev.semel.InvalidInput;
import dev.semel.StoreException;
import dev.semel.cli.CommandSettings;
import dev.semel.cli.Environment;
import dev.semel.internal.PrintableText;
import dev.semel.journal.JournalException;
import dev.semel.nats.JetStreamLog;
import dev.semel.nats.StreamsSettings;
import dev.semel.stream.JournalStreams;
import dev.semel.stream.MemoryStreams;
import dev.semel.stream.client.HttpStreams;
import dev.semel.stream.spi.Streams;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.InstantSource;

/** Opens streams by their URL: an engine in this process, or a server that has one. */
public final class StreamUrls {
  static final String KNOWN = "journal:DIR, memory:, nats://host:port or http://host:port";

  private StreamUrls() {}

  public static String scheme(String url) {
    int colon = url.indexOf(':');
    return colon < 0 ? "" : url.substring(0, colon);
  }

  public static boolean remote(String url) {
    String scheme = scheme(url);
    return scheme.equals("http") || scheme.equals("https");
  }

  /**
   * Opens the streams for a command.
   *
   * @param token for a server; empty: none
   * @param writes false: if there are no streams yet, nothing is created
   */
  public static Streams open(String url, Environment around, String token, boolean writes) {
    return switch (scheme(url)) {
      case "memory" -> new MemoryStreams(InstantSource.system());
      case "journal" -> journal(journalFolder(url, around.folder()), writes);
      case "nats", "tls" -> JetStreamLog.openStreams(StreamsSettings.parse(url));
      case "http", "https" ->
          CaFile.trust(around)
              .map(trust -> new HttpStreams(address(url), token, trust))
              .orElseGet(() -> new HttpStreams(address(url), token));
      default -> throw unknown(url);
    };
  }

  private static Streams journal(Path folder, boolean writes) {
    if (!writes && !Files.exists(folder)) {
      return new MemoryStreams(InstantSource.system());
    }
    try {
      return JournalStreams.open(
          folder, InstantSource.system(), JournalStreams.Settings.defaults());
    } catch (JournalException.InUse e) {
      throw new StoreException(
          "%s. If that is a server, ask it: set %s, such as %s=http://127.0.0.1:4437"
              .formatted(e.getMessage(), CommandSettings.SERVER, CommandSettings.SERVER),
          e);
    }
  }

  public static InvalidInput unknown(String url) {
    return new InvalidInput(
        "there are no streams %s: use %s"
            .formatted(PrintableText.quoted(scheme(url) + ":"), KNOWN));
  }

  /** The folder of a journal's URL. */
  public static Path journalFolder(String url, Path folder) {
    String path = url.substring(url.indexOf(':') + 1);
    if (path.isEmpty()) {
      throw new InvalidInput("journal: names no folder: write it as journal:/path/to/streams");
    }
    try {
      return folder.resolve(path).normalize();
    } catch (InvalidPathException e) {
      throw new InvalidInput("the path of the journal's folder is not valid: " + e.getReason());
    }
  }

  private static URI address(String url) {
    try {
      return new URI(url);
    } catch (URISyntaxException e) {
      throw new InvalidInput(
          "the server's address is not valid: write it like http://127.0.0.1:4437");
    }
  }
}
