package dev.semel.http.spi;

import dev.semel.http.HttpHeader;
import java.util.List;

/**
 * A handler's response. Only the headers in {@link dev.semel.http.HttpRules#replayedHeaders} are
 * kept and replayed.
 */
@SuppressWarnings("ArrayRecordComponent") // never compared or changed
public record HttpResponse(int status, List<HttpHeader> headers, byte[] body, boolean whole) {
  public HttpResponse {
    headers = List.copyOf(headers);
  }

  public HttpResponse(int status, List<HttpHeader> headers, byte[] body) {
    this(status, headers, body, true);
  }

  /** A response that was streamed, or exceeded the limit: the request was done, but is not kept. */
  public static HttpResponse notKept(int status) {
    return new HttpResponse(status, List.of(), new byte[0], false);
  }

  /** Never shows the body: a log must not hold it. */
  @Override
  public String toString() {
    return "HttpResponse[" + status + ", " + body.length + " bytes]";
  }
}
