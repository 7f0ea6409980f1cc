package dev.semel.stream.spi;

import dev.semel.InvalidInput;
import dev.semel.stream.Offset;
import dev.semel.stream.StreamPath;
import dev.semel.stream.internal.HeaderDigits;
import java.util.Optional;

/**
 * Where a stream forks from another: it inherits all data before that place.
 *
 * @param offset empty: at the source's tail
 * @param beyond how far after the offset, in JSON messages or else in bytes, within the append that
 *     follows it
 */
public record StreamFork(StreamPath source, Optional<Offset> offset, long beyond) {
  public StreamFork {
    HeaderDigits.check("the fork's sub-offset", beyond);
    if (beyond > 0 && offset.isEmpty()) {
      throw new InvalidInput("a fork's sub-offset counts from an offset: give that too");
    }
  }

  /** Parses the three headers. */
  public static Optional<StreamFork> parse(
      Optional<StreamPath> source, Optional<String> offset, Optional<String> beyond) {
    if (source.isEmpty() && (offset.isPresent() || beyond.isPresent())) {
      throw new InvalidInput("a fork's offset needs the stream to fork from: name it");
    }
    return source.map(
        from ->
            new StreamFork(
                from,
                offset.map(Offset::parse),
                beyond.map(b -> HeaderDigits.parse("the fork's sub-offset", b)).orElse(0L)));
  }
}
