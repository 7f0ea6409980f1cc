package dev.semel.servlet;

import jakarta.servlet.http.HttpServletResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Remembers what other filters had put into a response before its handler ran. */
final class EarlierResponse {
  private final HttpServletResponse response;
  private final int status;
  private final Map<String, List<String>> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);

  EarlierResponse(HttpServletResponse response) {
    this.response = response;
    this.status = response.getStatus();
    for (String name : response.getHeaderNames()) {
      headers.put(name, new ArrayList<>(response.getHeaders(name)));
    }
  }

  /** Resets the response to the state before the handler ran. */
  void restore() {
    response.reset();
    response.setStatus(status);
    headers.forEach(
        (name, values) -> {
          response.setHeader(name, values.get(0));
          values.stream().skip(1).forEach(value -> response.addHeader(name, value));
        });
  }
}
