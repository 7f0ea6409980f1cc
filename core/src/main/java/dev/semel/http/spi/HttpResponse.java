package dev.semel.http.spi;

import dev.semel.http.HttpHeader;
import java.util.List;

/**
 * What a handler answered. Of its headers only those are kept and repeated that {@link
 * HttpRules#replayedHeaders} names.
 */
@SuppressWarnings("ArrayRecordComponent") // never compared, and never changed once made
public record HttpResponse(int status, List<HttpHeader> headers, byte[] body, boolean whole) {
  public HttpResponse {
    headers = List.copyOf(headers);
  }

  public HttpResponse(int status, List<HttpHeader> headers, byte[] body) {
    this(status, headers, body, true);
  }

  /** One that went out piece by piece, or grew over the limit: it was done, but is not kept. */
  public static HttpResponse notKept(int status) {
    return new HttpResponse(status, List.of(), new byte[0], false);
  }

  /** Never the body: it may hold what a log must not. */
  @Override
  public String toString() {
    return "HttpResponse[" + status + ", " + body.length + " bytes]";
  }
}
