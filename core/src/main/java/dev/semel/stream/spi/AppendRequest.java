package dev.semel.stream.spi;

import dev.semel.InvalidInput;
import dev.semel.stream.ContentType;
import dev.semel.stream.Offset;
import java.util.Optional;

/**
 * A request to append, to close, or both in one step.
 *
 * @param type the type of the body; only needed with a body
 * @param ifMatch the tail that the caller expects: if it has moved, nothing is appended
 */
public record AppendRequest(
    Optional<ContentType> type,
    AppendBody body,
    boolean close,
    AppendSender sender,
    Optional<StreamSeq> seq,
    Optional<Offset> ifMatch) {
  public AppendRequest {
    if (body.absent() && !close) {
      throw new InvalidInput("there is nothing to append: send a body, or close the stream");
    }
    if (!body.absent() && type.isEmpty()) {
      throw new InvalidInput("the body has no content type: send the stream's own");
    }
  }

  /** A plain append; the methods below add to it. */
  public static AppendRequest of(ContentType type, byte[] raw) {
    return new AppendRequest(
        Optional.of(type),
        AppendBody.of(type, raw),
        false,
        AppendSender.anonymous(),
        Optional.empty(),
        Optional.empty());
  }

  /** Closes the stream and appends nothing. */
  public static AppendRequest closeOnly() {
    return new AppendRequest(
        Optional.empty(),
        AppendBody.EMPTY,
        true,
        AppendSender.anonymous(),
        Optional.empty(),
        Optional.empty());
  }

  public AppendRequest closing() {
    return new AppendRequest(type, body, true, sender, seq, ifMatch);
  }

  public AppendRequest by(ProducerTuple tuple) {
    return by(new AppendSender.Declared(tuple));
  }

  public AppendRequest by(AppendSender other) {
    return new AppendRequest(type, body, close, other, seq, ifMatch);
  }

  public AppendRequest withSeq(String text) {
    return new AppendRequest(type, body, close, sender, Optional.of(new StreamSeq(text)), ifMatch);
  }

  public AppendRequest ifMatch(Offset tail) {
    return new AppendRequest(type, body, close, sender, seq, Optional.of(tail));
  }
}
