package dev.semel.stream.client;

import dev.semel.StoreException;
import dev.semel.internal.PrintableText;
import dev.semel.stream.client.StreamRefused.Reason;
import dev.semel.stream.client.internal.HttpReply;
import java.util.Optional;

/** Interprets answers in which a server did not do what it was asked. */
final class ServerRefusals {
  private ServerRefusals() {}

  /** Why the caller may not do this, here or at all; empty when that is not the reason. */
  static Optional<String> notAllowed(HttpReply reply) {
    return switch (reply.status()) {
      case 401 ->
          Optional.of(
              "%s wants a token and %s: nothing was done"
                  .formatted(
                      reply.address(), reply.hadToken() ? "does not know this one" : "got none"));
      case 403 ->
          reply.fenced()
              ? Optional.empty()
              : Optional.of(
                  "%s refuses this: %s. Nothing was done"
                      .formatted(reply.address(), PrintableText.safe(reply.detail())));
      case 405, 501 ->
          Optional.of(
              "%s does not offer this: it may be read-only. Nothing was done"
                  .formatted(reply.address()));
      default -> Optional.empty();
    };
  }

  /** For an answer that matches no rule of the protocol. */
  static StoreException strange(HttpReply reply) {
    return new StoreException(
        reply.status() >= 500
            ? "%s failed (status %d): %s"
                .formatted(reply.address(), reply.status(), PrintableText.safe(reply.detail()))
            : "%s answered with status %d in a way that is not understood: is it a Semel server?"
                .formatted(reply.address(), reply.status()));
  }

  /**
   * The exception for an answer without success. A {@link StreamRefused} when nothing was done;
   * another exception when the server failed, and may or may not have done it.
   */
  static StoreException of(HttpReply reply) {
    Reason reason = reason(reply);
    boolean unsure = reply.status() >= 500 && reason == Reason.OTHER;
    return unsure
        ? strange(reply)
        : new StreamRefused(
            notAllowed(reply).orElseGet(() -> sentence(reason, reply)),
            reply.status(),
            reason,
            reply.header("Stream-Next-Offset").orElse(""));
  }

  private static Reason reason(HttpReply reply) {
    return switch (reply.status()) {
      case 400 -> Reason.MALFORMED;
      case 401, 403, 405, 501 -> Reason.NOT_ALLOWED;
      case 404 -> Reason.NOT_FOUND;
      case 409 -> conflict(reply);
      case 410 -> Reason.GONE;
      case 412 -> Reason.TAIL_MOVED;
      case 413 -> Reason.TOO_LARGE;
      case 429 -> Reason.BUSY;
      // Only a server that says so has written nothing; any other may have.
      case 503 -> reply.nothingHappened() ? Reason.BUSY : Reason.OTHER;
      case 507 -> Reason.NO_ROOM;
      default -> Reason.OTHER;
    };
  }

  private static Reason conflict(HttpReply reply) {
    if (reply.isTrue("Stream-Closed")) {
      return Reason.CLOSED;
    }
    boolean numbered = reply.sent("Stream-Seq") && !reply.problem().equals("other-content-type");
    return numbered || reply.header("Producer-Expected-Seq").isPresent()
        ? Reason.SEQUENCE
        : Reason.CONFLICT;
  }

  private static String sentence(Reason reason, HttpReply reply) {
    String why =
        switch (reason) {
          case NOT_FOUND -> "there is no such stream: create it first";
          case GONE -> "what was asked for is gone: it was deleted, or is no longer kept";
          case CONFLICT -> "the stream is there with another type or other settings";
          case CLOSED -> "the stream is closed: nothing can be appended any more";
          case TAIL_MOVED -> "someone else appended in the meantime: read on and decide again";
          case SEQUENCE -> "the sequence does not follow what is there: a newer one was appended";
          case MALFORMED -> "the request is not valid";
          case TOO_LARGE -> "the body is too large: send less at a time";
          case BUSY -> "the server is busy: try again later";
          case NO_ROOM -> "the server has no room left";
          case NOT_ALLOWED, OTHER -> "the request was refused";
        };
    return "%s: %s (%s). Nothing was done"
        .formatted(reply.address(), why, PrintableText.safe(reply.detail()));
  }
}
