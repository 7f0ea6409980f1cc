package dev.semel.servlet;

import dev.semel.http.HttpHeader;
import dev.semel.http.spi.HttpAnswer;
import dev.semel.http.spi.HttpResponse;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Writes the filter's answers into the container's response. */
final class AnswerWriter {
  private AnswerWriter() {}

  /** Sends an answer that no handler of this request made. */
  static void send(HttpAnswer answer, HttpServletResponse response) throws IOException {
    HttpResponse given = answer.response();
    response.setStatus(given.status());
    put(given.headers(), response);
    put(answer.added(), response);
    body(given, response);
  }

  /** Sets each header, replacing values of other filters; repeated headers are added. */
  static void put(List<HttpHeader> headers, HttpServletResponse response) {
    Set<String> seen = new HashSet<>();
    for (HttpHeader header : headers) {
      if (seen.add(header.name().toLowerCase(Locale.ROOT))) {
        response.setHeader(header.name(), header.value());
      } else {
        response.addHeader(header.name(), header.value());
      }
    }
  }

  static void body(HttpResponse given, HttpServletResponse response) throws IOException {
    byte[] body = given.body();
    if (body.length > 0 || mayHaveBody(given.status())) {
      response.setContentLength(body.length);
    }
    if (body.length > 0) {
      response.getOutputStream().write(body);
    }
    response.flushBuffer();
  }

  private static boolean mayHaveBody(int status) {
    return status != HttpServletResponse.SC_NO_CONTENT
        && status != HttpServletResponse.SC_NOT_MODIFIED;
  }
}
