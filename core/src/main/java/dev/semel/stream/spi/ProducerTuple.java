package dev.semel.stream.spi;

import dev.semel.InvalidInput;
import dev.semel.internal.PrintableText;
import dev.semel.stream.internal.HeaderDigits;
import java.util.Optional;

/**
 * Identifies one batch of a producer. The epoch distinguishes a producer's runs; the sequence
 * counts batches, from 0 in every epoch.
 */
public record ProducerTuple(String id, long epoch, long seq) {
  /** Longest id, in characters. */
  public static final int MAX_ID_LENGTH = 256;

  public ProducerTuple {
    checkId(id);
    HeaderDigits.check("the producer's epoch", epoch);
    HeaderDigits.check("the producer's sequence", seq);
  }

  static void checkId(String id) {
    if (id.isEmpty() || id.length() > MAX_ID_LENGTH || !PrintableText.isSafe(id)) {
      throw new InvalidInput(
          "the producer's id %s is not valid: use 1 to %d printable characters"
              .formatted(PrintableText.quoted(id), MAX_ID_LENGTH));
    }
  }

  /** Parses the three headers: all of them or none. */
  public static Optional<ProducerTuple> parse(
      Optional<String> id, Optional<String> epoch, Optional<String> seq) {
    if (id.isEmpty() && epoch.isEmpty() && seq.isEmpty()) {
      return Optional.empty();
    }
    if (id.isEmpty() || epoch.isEmpty() || seq.isEmpty()) {
      throw new InvalidInput(
          "a producer names its id, epoch and sequence together: send all three");
    }
    return Optional.of(
        new ProducerTuple(
            id.get(),
            HeaderDigits.parse("the producer's epoch", epoch.get()),
            HeaderDigits.parse("the producer's sequence", seq.get())));
  }
}
