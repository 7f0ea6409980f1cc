package dev.semel.server.stream;

import dev.semel.server.http.HeaderNames;
import dev.semel.stream.ContentType;
import io.vertx.core.http.HttpServerResponse;
import java.util.Set;

/**
 * What a browser may do with data that it shows: data comes from whoever may append, and the origin
 * is that of the control center. A document runs no script and belongs to no origin; what could be
 * one is downloaded instead of shown.
 */
final class BrowserRules {
  private static final CharSequence SANDBOX = HeaderNames.name("sandbox");
  private static final CharSequence ATTACHMENT = HeaderNames.name("attachment");

  /** Shown without being run. A type that is not among them may be one that a browser runs. */
  private static final Set<String> PASSIVE =
      Set.of(
          "application/json",
          "application/ndjson",
          "application/x-ndjson",
          "application/octet-stream",
          "text/plain",
          "text/csv",
          "text/event-stream",
          "image/png",
          "image/jpeg",
          "image/gif",
          "image/webp",
          "image/avif");

  private BrowserRules() {}

  /** For every answer to a reader, errors too. */
  static void sandbox(HttpServerResponse response) {
    response.headers().add(HeaderNames.SECURITY_POLICY, SANDBOX);
  }

  /** For an answer of this type. */
  static void disposition(HttpServerResponse response, ContentType type) {
    if (!type.json() && !passive(type.media())) {
      response.headers().add(HeaderNames.CONTENT_DISPOSITION, ATTACHMENT);
    }
  }

  static boolean passive(String media) {
    return PASSIVE.contains(media)
        || media.endsWith("+json")
        || media.startsWith("audio/")
        || media.startsWith("video/");
  }
}
