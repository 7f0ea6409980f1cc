package dev.semel.stream.spi;

import dev.semel.stream.internal.HeaderDigits;
import java.util.OptionalLong;

/** The sender of an append, by which a repeated append is recognised. */
public sealed interface AppendSender {
  /** Without a producer: a repeated append is another append. */
  record Anonymous() implements AppendSender {}

  /** A producer that counts its epochs itself. */
  record Declared(ProducerTuple tuple) implements AppendSender {}

  /**
   * A producer of the older dialect, whose epochs the server counts.
   *
   * @param epoch the epoch that the server gave it; a producer that sends it can be fenced
   */
  record Managed(String id, OptionalLong epoch, long seq) implements AppendSender {
    public Managed {
      ProducerTuple.checkId(id);
      HeaderDigits.check("the producer's sequence", seq);
      if (epoch.isPresent()) {
        HeaderDigits.check("the producer's epoch", epoch.getAsLong());
      }
    }
  }

  static AppendSender anonymous() {
    return new Anonymous();
  }
}
