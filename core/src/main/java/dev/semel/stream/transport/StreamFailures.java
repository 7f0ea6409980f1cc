package dev.semel.stream.transport;

import dev.semel.InvalidInput;
import dev.semel.StoreException;
import dev.semel.stream.client.ProducerException;
import dev.semel.stream.client.StreamRefused;
import dev.semel.transport.PublishFailed;
import dev.semel.transport.PublishFailed.Kind;
import java.net.URI;

/** Translates a stream's refusal of a message. */
final class StreamFailures {
  private StreamFailures() {}

  /**
   * The failure in the transport's terms.
   *
   * @param creates whether missing streams are created
   */
  static PublishFailed of(Throwable why, URI stream, boolean creates) {
    return switch (why) {
      case PublishFailed e -> e;
      case ProducerException.Refused e ->
          refused(
              e.status(), e.batch().map(b -> b.messages().size()).orElse(1), e, stream, creates);
      case ProducerException.StreamClosed e ->
          failed(Kind.REFUSED, "the stream %s is closed: send elsewhere", stream, e);
      case ProducerException.BufferFull e ->
          failed(Kind.BUSY, "too much waits for %s to be confirmed", stream, e);
      case StreamRefused e -> refused(e.status(), 1, e, stream, creates);
      case InvalidInput e -> new PublishFailed(Kind.REFUSED, String.valueOf(e.getMessage()), e);
      default ->
          new PublishFailed(
              Kind.UNREACHABLE,
              "%s did not confirm the message, which may be there or not: %s"
                  .formatted(stream, why.getMessage()),
              why);
    };
  }

  private static PublishFailed refused(
      int status, int together, StoreException why, URI stream, boolean creates) {
    // The other messages of a batch are not to blame for the refused one.
    Kind kind = together == 1 ? Kind.REFUSED : Kind.BUSY;
    return switch (status) {
      case 401, 403, 405, 501 ->
          new PublishFailed(
              Kind.UNREACHABLE,
              "the server does not let us write to %s, check the token and its rights: %s"
                  .formatted(stream, why.getMessage()),
              why);
      case 404, 410 ->
          creates
              ? failed(Kind.BUSY, "the stream %s was deleted, and is made again", stream, why)
              : failed(
                  Kind.REFUSED,
                  "there is no stream %s: create it, or let the transport do that",
                  stream,
                  why);
      case 413 ->
          failed(kind, "what was sent to %s is beyond the server's limit of a body", stream, why);
      case 400 -> failed(kind, "%s does not understand a message", stream, why);
      case 409 ->
          failed(
              Kind.REFUSED, "the stream %s takes no messages: it must be one of JSON", stream, why);
      default -> failed(Kind.BUSY, "%s takes nothing just now", stream, why);
    };
  }

  private static PublishFailed failed(Kind kind, String sentence, URI stream, StoreException why) {
    return new PublishFailed(kind, sentence.formatted(stream) + " (" + why.getMessage() + ")", why);
  }
}
