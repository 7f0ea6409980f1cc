package dev.semel.stream.spi;

import dev.semel.InvalidInput;
import dev.semel.internal.PrintableText;
import dev.semel.stream.internal.HeaderDigits;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.Optional;

/** When a stream expires. In whole milliseconds, because that is what is stored. */
public sealed interface StreamExpiry {
  record Never() implements StreamExpiry {}

  /** After this long without a read or a write. */
  record Idle(long seconds) implements StreamExpiry {
    public Idle {
      HeaderDigits.check("the time to live", seconds);
    }
  }

  /** At this time, in any case. */
  record At(long epochMillis) implements StreamExpiry {}

  static StreamExpiry never() {
    return new Never();
  }

  /**
   * Parses the two headers.
   *
   * @param ttl seconds
   * @param expiresAt a time by RFC 3339
   */
  static StreamExpiry parse(Optional<String> ttl, Optional<String> expiresAt) {
    if (ttl.isPresent() && expiresAt.isPresent()) {
      throw new InvalidInput("a time to live and a time of expiry exclude each other: give one");
    }
    return ttl.<StreamExpiry>map(t -> new Idle(HeaderDigits.parseCanonical("the time to live", t)))
        .or(() -> expiresAt.map(StreamExpiry::at))
        .orElse(never());
  }

  private static At at(String text) {
    try {
      Instant instant = OffsetDateTime.parse(text).toInstant();
      return new At(instant.toEpochMilli());
    } catch (DateTimeParseException | ArithmeticException e) {
      throw new InvalidInput(
          "%s is not a time: write one such as 2030-01-31T12:00:00Z"
              .formatted(PrintableText.quoted(text)));
    }
  }

  /**
   * Whether the stream has expired.
   *
   * @param touched when the stream was last read or written, in epoch milliseconds
   */
  default boolean over(long touched, long now) {
    return switch (this) {
      case Never n -> false;
      case Idle i -> now >= touched + i.seconds() * 1000; // fits: 2^53 seconds are below 2^63 ms
      case At a -> now >= a.epochMillis();
    };
  }
}
