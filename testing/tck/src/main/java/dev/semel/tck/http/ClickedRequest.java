package dev.semel.tck.http;

import dev.semel.http.HttpHeader;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/** A request that a test can send any number of times. */
record ClickedRequest(String method, String target, List<HttpHeader> headers, String body) {
  /** After this long an answer counts as lost. */
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  static final String BODY = "{\"amount\":10,\"to\":\"Zoë\"}";

  static ClickedRequest post(String target) {
    return new ClickedRequest("POST", target, List.of(), BODY);
  }

  ClickedRequest by(String method) {
    return new ClickedRequest(method, target, headers, body);
  }

  ClickedRequest to(String target) {
    return new ClickedRequest(method, target, headers, body);
  }

  ClickedRequest key(String key) {
    return header(HttpHeader.KEY, key);
  }

  /** Adds a header; an earlier one with the same name stays. */
  ClickedRequest header(String name, String value) {
    return new ClickedRequest(
        method,
        target,
        Stream.concat(headers.stream(), Stream.of(new HttpHeader(name, value))).toList(),
        body);
  }

  ClickedRequest body(String body) {
    return new ClickedRequest(method, target, headers, body);
  }

  /** Sets the caller. */
  ClickedRequest as(String who) {
    return header("Authorization", "Bearer " + who);
  }

  HttpRequest at(URI front) {
    return at(front, BodyPublishers.ofString(body));
  }

  HttpRequest at(URI front, HttpRequest.BodyPublisher publisher) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(front + target))
            .timeout(PATIENCE)
            .method(method, publisher);
    headers.forEach(header -> request.header(header.name(), header.value()));
    return request.build();
  }
}
