package dev.semel.stream;

import dev.semel.InvalidInput;
import java.util.Optional;

/**
 * A request to append, to close, or both in one step.
 *
 * @param type what the body is; only asked for when there is a body
 * @param ifMatch the tail as the caller knows it: if it has moved, nothing is appended
 */
public record Append(
    Optional<ContentType> type,
    Body body,
    boolean close,
    Sender sender,
    Optional<StreamSeq> seq,
    Optional<Offset> ifMatch) {
  public Append {
    if (body.absent() && !close) {
      throw new InvalidInput("there is nothing to append: send a body, or close the stream");
    }
    if (!body.absent() && type.isEmpty()) {
      throw new InvalidInput("the body has no content type: send the stream's own");
    }
  }

  /** To be refined by the methods below. */
  public static Append of(ContentType type, byte[] raw) {
    return new Append(
        Optional.of(type),
        Body.of(type, raw),
        false,
        Sender.anonymous(),
        Optional.empty(),
        Optional.empty());
  }

  /** Closes and appends nothing. */
  public static Append closeOnly() {
    return new Append(
        Optional.empty(), Body.EMPTY, true, Sender.anonymous(), Optional.empty(), Optional.empty());
  }

  public Append closing() {
    return new Append(type, body, true, sender, seq, ifMatch);
  }

  public Append by(ProducerTuple tuple) {
    return by(new Sender.Declared(tuple));
  }

  public Append by(Sender other) {
    return new Append(type, body, close, other, seq, ifMatch);
  }

  public Append withSeq(String text) {
    return new Append(type, body, close, sender, Optional.of(new StreamSeq(text)), ifMatch);
  }

  public Append ifMatch(Offset tail) {
    return new Append(type, body, close, sender, seq, Optional.of(tail));
  }
}
