package dev.semel.cli.adapter;

import dev.semel.InvalidInput;
import dev.semel.StoreException;
import dev.semel.json.Json;
import dev.semel.json.JsonObjectBuilder;
import dev.semel.json.JsonValue.JsonObject;
import dev.semel.stream.client.ProducerException;
import dev.semel.stream.client.StreamGarbled;
import dev.semel.stream.client.StreamRefused;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpTimeoutException;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeoutException;

/** Errors by the names of the protocol. */
final class AdapterFailures {
  /** Stands for the type of an unreadable command. */
  private static final String UNKNOWN = "unknown";

  /**
   * The protocol's name of a failure.
   *
   * @param status of HTTP; 0: there is none
   */
  private record Name(String code, int status) {}

  private AdapterFailures() {}

  static JsonObject badLine(InvalidInput e) {
    return error(UNKNOWN, new Name("PARSE_ERROR", 0), String.valueOf(e.getMessage())).build();
  }

  static JsonObject notSupported(String command, String message) {
    return error(command, new Name("NOT_SUPPORTED", 0), message).build();
  }

  /**
   * @param path the stream's path, which our client keeps out of its messages; empty: there is none
   */
  static JsonObject of(String command, String path, RuntimeException e) {
    Throwable why = e instanceof CompletionException && e.getCause() != null ? e.getCause() : e;
    String message = why.getMessage() == null ? why.toString() : why.getMessage();
    String where = path.isEmpty() ? "" : path.replaceFirst("[?].*", "") + ": ";
    JsonObjectBuilder answer = error(command, name(command, why), where + message);
    details(why).ifPresent(details -> answer.with("details", details));
    return answer.build();
  }

  private static JsonObjectBuilder error(String command, Name name, String message) {
    JsonObjectBuilder answer =
        Json.object().with("type", "error").with("success", false).with("commandType", command);
    if (name.status() > 0) {
      answer.with("status", name.status());
    }
    return answer.with("errorCode", name.code()).with("message", message);
  }

  private static Name name(String command, Throwable e) {
    return switch (e) {
      case InvalidInput i -> new Name("INVALID_ARGUMENT", 0);
      case StreamRefused r -> new Name(code(command, r), r.status());
      case StreamGarbled g -> new Name("PARSE_ERROR", 0);
      case ProducerException p -> name(command, p);
      case TimeoutException t -> new Name("TIMEOUT", 0);
      case StoreException s ->
          new Name(s.getCause() == null ? "UNEXPECTED_STATUS" : unanswered(s.getCause()), 0);
      default -> new Name("INTERNAL_ERROR", 0);
    };
  }

  private static String code(String command, StreamRefused refused) {
    return switch (refused.reason()) {
      case NOT_FOUND -> "NOT_FOUND";
      case CONFLICT -> "CONFLICT";
      case CLOSED -> "STREAM_CLOSED";
      case SEQUENCE -> "SEQUENCE_CONFLICT";
      // The offset is the only part of a read request that can be malformed.
      case MALFORMED -> command.equals("read") ? "INVALID_OFFSET" : "UNEXPECTED_STATUS";
      case GONE, TAIL_MOVED, NOT_ALLOWED, TOO_LARGE, BUSY, NO_ROOM, OTHER -> "UNEXPECTED_STATUS";
    };
  }

  private static Name name(String command, ProducerException e) {
    return switch (e) {
      case ProducerException.Fenced f -> new Name("CONFLICT", 403);
      case ProducerException.EpochTaken t -> new Name("CONFLICT", 0);
      case ProducerException.SequenceGap g -> new Name("SEQUENCE_CONFLICT", 409);
      case ProducerException.StreamClosed c -> new Name("STREAM_CLOSED", 409);
      case ProducerException.Refused r -> new Name(refused(r.status()), r.status());
      case ProducerException.GaveUp g ->
          g.getCause() == null ? new Name("NETWORK_ERROR", 0) : name(command, g.getCause());
      case ProducerException.BufferFull b -> new Name("TIMEOUT", 0);
      case ProducerException.Closed c -> new Name("INVALID_ARGUMENT", 0);
    };
  }

  private static String refused(int status) {
    return switch (status) {
      case 404 -> "NOT_FOUND";
      case 409 -> "CONFLICT";
      default -> "UNEXPECTED_STATUS";
    };
  }

  private static String unanswered(Throwable cause) {
    boolean late =
        cause instanceof TimeoutException
            || (cause instanceof HttpTimeoutException
                && !(cause instanceof HttpConnectTimeoutException));
    return late ? "TIMEOUT" : "NETWORK_ERROR";
  }

  /** Details that help a program when a producer has ended. */
  private static Optional<JsonObject> details(Throwable e) {
    if (!(e instanceof ProducerException failure)) {
      return Optional.empty();
    }
    JsonObjectBuilder details = Json.object().with("failure", failure.getClass().getSimpleName());
    if (failure instanceof ProducerException.Fenced fenced) {
      details.with("currentEpoch", fenced.currentEpoch());
    }
    if (failure instanceof ProducerException.SequenceGap gap) {
      details.with("expectedSeq", gap.expected());
    }
    failure
        .batch()
        .ifPresent(
            batch ->
                details.with("messages", batch.messages().size()).with("inDoubt", batch.inDoubt()));
    return Optional.of(details.build());
  }
}
