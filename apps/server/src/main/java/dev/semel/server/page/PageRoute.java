package dev.semel.server.page;

import dev.semel.server.http.HeaderNames;
import dev.semel.server.http.MemoryBudget;
import dev.semel.server.http.PacedResponse;
import dev.semel.server.http.RequestRoute;
import dev.semel.server.http.RouteTable;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Serves the page's files. They hold no secrets, so every caller may have them; the page's own
 * calls need access. For all event loops of a server.
 */
public final class PageRoute {
  /** Path of the files; the page itself is at {@code /}. */
  public static final String ROOT = "/page/";

  static final String INDEX = "index.html";

  /** All files. */
  static final List<String> FILES =
      List.of(
          INDEX,
          "style.css",
          "mark.svg",
          "app.js",
          "api.js",
          "live.js",
          "text.js",
          "parts.js",
          "plots.js",
          "theme.js",
          "overview.js",
          "keys.js",
          "messages.js",
          "jobs.js",
          "streams.js",
          "watch.js",
          "settings.js",
          "vendor.js",
          "vendor.css",
          "vendor-licences.txt");

  /** Allows scripts, styles and calls of this server alone, and no frame around the page. */
  private static final CharSequence POLICY =
      HeaderNames.name(
          "default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; object-src 'none'");

  private static final CharSequence REFERRER_POLICY = HeaderNames.name("Referrer-Policy");
  private static final CharSequence NO_REFERRER = HeaderNames.name("no-referrer");
  private static final CharSequence OPENER_POLICY = HeaderNames.name("Cross-Origin-Opener-Policy");
  private static final CharSequence SAME_ORIGIN = HeaderNames.name("same-origin");

  /** Browsers keep the files but ask each time, so that a new version shows at once. */
  private static final CharSequence NO_CACHE = HeaderNames.name("no-cache");

  private final MemoryBudget budget;
  private final Map<String, PageFile> files = new HashMap<>();

  /**
   * Reads all files.
   *
   * @param budget counts the bytes that callers have not taken yet
   */
  public PageRoute(MemoryBudget budget) {
    this.budget = budget;
    FILES.forEach(name -> files.put(ROOT + name, PageFile.read(name)));
    files.put("/", PageFile.read(INDEX));
  }

  public void addTo(RouteTable<RequestRoute> table) {
    files.forEach(
        (path, file) ->
            table.add("GET, HEAD", path, (request, target, named) -> send(request, file)));
  }

  private void send(HttpServerRequest request, PageFile file) {
    HttpServerResponse response =
        request
            .response()
            .putHeader(HeaderNames.SECURITY_POLICY, POLICY)
            .putHeader(REFERRER_POLICY, NO_REFERRER)
            .putHeader(OPENER_POLICY, SAME_ORIGIN)
            .putHeader(HeaderNames.CACHE_CONTROL, NO_CACHE)
            .putHeader(HeaderNames.ETAG, file.tag());
    if (known(request, file)) {
      response.setStatusCode(304).end();
      return;
    }
    response.putHeader(HeaderNames.CONTENT_TYPE, file.type());
    if (request.method().equals(HttpMethod.HEAD)) {
      response.putHeader(HeaderNames.CONTENT_LENGTH, Integer.toString(file.bytes().length())).end();
    } else {
      PacedResponse.sendKept(budget, request, file.bytes());
    }
  }

  /** Whether the caller has the file already; the header has several forms. */
  private static boolean known(HttpServerRequest request, PageFile file) {
    for (String listed : request.headers().getAll(HeaderNames.IF_NONE_MATCH)) {
      for (String each : listed.split(",", -1)) {
        String tag = each.strip();
        if (tag.equals("*") || tag.contentEquals(file.tag()) || tag.equals("W/" + file.tag())) {
          return true;
        }
      }
    }
    return false;
  }
}
