package dev.semel.stream.client.internal;

import dev.semel.StoreException;
import java.time.Duration;
import java.util.Optional;

/** What became of a {@link BatchRequest}, as far as its sender can know. */
public sealed interface BatchResult {
  /**
   * It is there now.
   *
   * @param next the stream's end behind it, as far as the server says
   */
  record Accepted(Optional<String> next) implements BatchResult {}

  /** One with its producer, epoch and sequence was there before. */
  record Duplicate(Optional<String> next) implements BatchResult {}

  /** A later life of the producer was there. */
  record Stale(long current) implements BatchResult {}

  /** Batches before it are missing. */
  record Gap(long expected) implements BatchResult {}

  /** Someone has closed the stream. */
  record Closed() implements BatchResult {}

  /**
   * It can't be taken, however often it is sent.
   *
   * @param itself whether the reason lies in what it holds, so that others may fare better
   */
  record Refused(int status, String detail, boolean itself) implements BatchResult {}

  /**
   * It was surely not taken, and may be later.
   *
   * @param pause as the server asks; zero: it doesn't
   */
  record NotYet(StoreException why, Duration pause) implements BatchResult {}

  /** Nobody knows whether it was taken. */
  record Lost(StoreException why) implements BatchResult {}
}
