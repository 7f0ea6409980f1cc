package dev.semel.server.stream;

import dev.semel.server.http.HeaderNames;
import dev.semel.stream.ContentType;
import io.vertx.core.http.HttpServerResponse;
import java.util.Set;

/**
 * Keeps browsers from running stream data. Anyone who may append could store a page, which would
 * run in the control center's origin. So a document runs no script and belongs to no origin, and
 * data that could be active is downloaded instead of shown.
 */
final class BrowserRules {
  private static final CharSequence SANDBOX = HeaderNames.name("sandbox");
  private static final CharSequence ATTACHMENT = HeaderNames.name("attachment");

  /** Types that browsers show without running them. Any other type may be active. */
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

  /** Sets the headers of every answer to a reader, errors included. */
  static void sandbox(HttpServerResponse response) {
    response.headers().add(HeaderNames.SECURITY_POLICY, SANDBOX);
  }

  /** Sets the header for data of this type. */
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
