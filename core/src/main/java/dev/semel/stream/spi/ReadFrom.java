package dev.semel.stream.spi;

import dev.semel.stream.Offset;

/** Where a read begins. */
public sealed interface ReadFrom {
  /** At the oldest data that is still kept; written as {@code -1}. */
  record Start() implements ReadFrom {}

  /** At the current tail; written as {@code now}. */
  record Now() implements ReadFrom {}

  record At(Offset offset) implements ReadFrom {}

  /** The offset that this means in a stream as it is now. */
  default Offset in(StreamHead head) {
    return switch (this) {
      case Start s -> head.start();
      case Now n -> head.tail();
      case At a -> a.offset();
    };
  }

  static ReadFrom parse(String text) {
    return switch (text) {
      case "-1" -> new Start();
      case "now" -> new Now();
      default -> new At(Offset.parse(text));
    };
  }
}
