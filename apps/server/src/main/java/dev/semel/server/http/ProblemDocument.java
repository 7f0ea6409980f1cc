package dev.semel.server.http;

import dev.semel.json.Json;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.util.Locale;

/**
 * An error answer: a problem document by RFC 9457. Its name is stable. Its detail says what to do,
 * and never contains secrets or internals.
 *
 * @param name kind of error, for programs: the end of the document's {@code type}
 * @param title kind of error, for people
 * @param detail what is wrong here and what to do
 */
public record ProblemDocument(int status, String name, String title, String detail) {
  private static final String TYPE = "urn:semel:problem:";
  private static final CharSequence CONTENT_TYPE = HeaderNames.name("application/problem+json");

  /** Derives the title from the name. */
  public static ProblemDocument of(int status, String name, String detail) {
    String words = name.replace('-', ' ');
    return new ProblemDocument(
        status, name, words.substring(0, 1).toUpperCase(Locale.ROOT) + words.substring(1), detail);
  }

  public static ProblemDocument malformed(String detail) {
    return of(400, "malformed", detail);
  }

  public static ProblemDocument notFound(String detail) {
    return of(404, "not-found", detail);
  }

  /**
   * Refuses a method.
   *
   * @param allowed the methods of this address
   */
  public static void notAllowed(HttpServerRequest request, String allowed) {
    request.response().putHeader(HeaderNames.ALLOW, allowed);
    of(405, "method-not-allowed", "this address takes only " + allowed).send(request);
  }

  /** Ends the response; headers that were set before stay. */
  public void send(HttpServerRequest request) {
    HttpServerResponse response = request.response();
    if (response.ended() || response.closed()) {
      return;
    }
    response
        .setStatusCode(status)
        .putHeader(HeaderNames.CONTENT_TYPE, CONTENT_TYPE)
        .putHeader(HeaderNames.CACHE_CONTROL, HeaderNames.NO_STORE);
    if (request.method().equals(HttpMethod.HEAD)) {
      response.end();
    } else {
      response.end(json());
    }
  }

  String json() {
    return Json.object()
        .with("type", TYPE + name)
        .with("title", title)
        .with("status", status)
        .with("detail", detail)
        .write();
  }
}
