package dev.semel.cli.streams;

import dev.semel.cli.Console;
import dev.semel.cli.ExitCode;
import dev.semel.stream.StreamPath;
import dev.semel.stream.spi.StreamResult;

/**
 * Message and exit code for a refusal by the streams.
 *
 * @param message begins in the middle of a sentence, as all our messages do
 */
record StreamRefusal(int code, String message) {
  static int tell(Console console, StreamPath path, StreamResult answer) {
    StreamRefusal refusal = of(path, answer);
    console.complain(refusal.message());
    return refusal.code();
  }

  static StreamRefusal of(StreamPath path, StreamResult answer) {
    return switch (answer) {
      case StreamResult.Missing m ->
          notFound("there is no stream %s: semel streams create makes one".formatted(path));
      case StreamResult.Gone g ->
          notFound(
              "the stream %s was deleted or has expired; only its forks remain".formatted(path));
      case StreamResult.SourceMissing s -> notFound("there is no stream to fork from");
      case StreamResult.BelowHorizon b ->
          notFound("the data there is no longer kept: use --from " + b.start());
      case StreamResult.Malformed m -> new StreamRefusal(ExitCode.USAGE, m.message());
      case StreamResult.TooLarge t ->
          new StreamRefusal(
              ExitCode.USAGE,
              "that is over the limit of %d bytes at once: send less".formatted(t.max()));
      case StreamResult.Full f ->
          failed("the limit of %d %s is reached".formatted(f.max(), f.limit()));
      case StreamResult.NoRoom n -> failed("there is no room: nothing was written");
      case StreamResult.Busy b ->
          new StreamRefusal(
              ExitCode.UNREACHABLE,
              "the limit of %d %s is reached: nothing was written, try again soon"
                  .formatted(b.max(), b.limit()));
      case StreamResult.Conflict c -> conflict(why(path, c.reason()));
      case StreamResult.StreamClosed c ->
          conflict("the stream %s is closed: nothing can be appended any more".formatted(path));
      case StreamResult.OtherType t ->
          conflict("the stream %s holds %s: append that".formatted(path, t.expected()));
      case StreamResult.StaleEpoch s ->
          conflict(
              "fenced: a later life of this producer has epoch %d; nothing was written"
                  .formatted(s.current()));
      case StreamResult.Gap g ->
          conflict(
              "the producer's next sequence is %d and this was %d: someone else appends as the same producer, or the server forgot it"
                  .formatted(g.expected(), g.received()));
      case StreamResult.TailMoved t ->
          conflict("the stream's tail is %s by now".formatted(t.tail()));
      case StreamResult.SeqRegression s -> conflict("the stream's sequence is further by now");
      case StreamResult.Created c -> throw none(c);
      case StreamResult.Existed e -> throw none(e);
      case StreamResult.Appended a -> throw none(a);
      case StreamResult.Closed c -> throw none(c);
      case StreamResult.Duplicate d -> throw none(d);
      case StreamResult.Deleted d -> throw none(d);
      case StreamResult.InFile f -> throw none(f);
      case StreamResult.Data d -> throw none(d);
      case StreamResult.Found f -> throw none(f);
    };
  }

  private static String why(StreamPath path, StreamResult.Conflict.Reason reason) {
    return switch (reason) {
      case OTHER_CONFIGURATION ->
          "the stream %s is there with another type, expiry, closure or source".formatted(path);
      case PATH_HELD_FOR_FORKS ->
          "%s is held by a deleted stream whose forks still live: use another path".formatted(path);
      case SOURCE_GONE -> "the stream to fork from was deleted or has expired";
      case OTHER_TYPE_THAN_SOURCE ->
          "the stream to fork from holds another content type: leave --type out";
    };
  }

  private static StreamRefusal notFound(String message) {
    return new StreamRefusal(ExitCode.NOT_FOUND, message);
  }

  private static StreamRefusal conflict(String message) {
    return new StreamRefusal(ExitCode.CONFLICT, message);
  }

  private static StreamRefusal failed(String message) {
    return new StreamRefusal(ExitCode.FAILED, message);
  }

  private static IllegalStateException none(StreamResult answer) {
    return new IllegalStateException("no refusal: " + answer);
  }
}
