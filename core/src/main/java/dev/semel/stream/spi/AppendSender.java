package dev.semel.stream.spi;

import dev.semel.stream.internal.HeaderDigits;
import java.util.OptionalLong;

/** Who appends, and with it how a repeated append is recognised. */
public sealed interface AppendSender {
  /** Nobody who says so: a repeated append is another append. */
  record Anonymous() implements AppendSender {}

  /** A producer that counts its own epochs. */
  record Declared(ProducerTuple tuple) implements AppendSender {}

  /**
   * A producer of the older dialect, whose epochs the server counts.
   *
   * @param epoch the one it was told; a producer that sends it is fenced by it
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
