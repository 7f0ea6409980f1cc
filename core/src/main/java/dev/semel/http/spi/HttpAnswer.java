package dev.semel.http.spi;

import dev.semel.http.HttpHeader;
import dev.semel.http.HttpProfile;
import dev.semel.http.HttpRefusal;
import dev.semel.json.Json;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * The answer to send to a client.
 *
 * @param response status, headers, body; of an execution, the handler's response, which a server
 *     may have sent already
 * @param added headers to send as well. For an execution that is kept, {@link
 *     GuardedRequest#added}, known before it runs; for one that is not kept, only the key, and
 *     {@link HttpHeader#RECORDED} if it should have been kept
 */
public record HttpAnswer(Kind kind, HttpResponse response, List<HttpHeader> added) {
  /** Where the answer comes from. */
  public enum Kind {
    EXECUTED,
    REPLAYED,
    REFUSED
  }

  public HttpAnswer {
    added = List.copyOf(added);
  }

  /** A refusal with its status and problem document, and these headers. */
  public static HttpAnswer refused(
      HttpProfile profile, HttpRefusal refusal, String detail, List<HttpHeader> added) {
    int status = profile.status(refusal);
    String document =
        Json.object()
            .with("type", refusal.type())
            .with("title", refusal.title())
            .with("status", status)
            .with("detail", detail)
            .write();
    List<HttpHeader> headers = new ArrayList<>();
    headers.add(new HttpHeader(HttpHeader.CONTENT_TYPE, "application/problem+json"));
    headers.add(new HttpHeader(HttpHeader.CACHE_CONTROL, "no-store"));
    return new HttpAnswer(
        Kind.REFUSED,
        new HttpResponse(status, headers, document.getBytes(StandardCharsets.UTF_8)),
        added);
  }
}
