package dev.semel.server;

import dev.semel.server.http.Problem;
import io.vertx.core.http.HttpServerRequest;

/** Why a request could not be read. */
final class Unreadable {
  private Unreadable() {}

  /** By the name of the decoder's complaint, whose class is none of ours to depend on. */
  static Problem problem(HttpServerRequest request) {
    Throwable cause = request.decoderResult() == null ? null : request.decoderResult().cause();
    String kind = cause == null ? "" : cause.getClass().getSimpleName();
    return switch (kind) {
      case "TooLongHttpLineException" ->
          Problem.of(414, "address-too-long", "the request's first line is too long: shorten it");
      case "TooLongHttpHeaderException" ->
          Problem.of(431, "headers-too-large", "the request's headers are too large: send less");
      default -> Problem.malformed("the request is not valid HTTP");
    };
  }
}
