package dev.semel.stream.client.internal;

import dev.semel.StoreException;
import java.time.Duration;
import java.util.Optional;

/** The result of a {@link BatchRequest}, as far as its sender can know. */
public sealed interface BatchResult {
  /**
   * The batch is in the stream now.
   *
   * @param next the stream's end after it, if the server says so
   */
  record Accepted(Optional<String> next) implements BatchResult {}

  /** A batch with this producer, epoch and sequence was there before. */
  record Duplicate(Optional<String> next) implements BatchResult {}

  /** A newer epoch of the producer has written. */
  record Stale(long current) implements BatchResult {}

  /** Earlier batches are missing. */
  record Gap(long expected) implements BatchResult {}

  /** Someone has closed the stream. */
  record Closed() implements BatchResult {}

  /**
   * The batch will never be accepted, however often it is sent.
   *
   * @param itself true: because of its content, so that other batches may be accepted
   */
  record Refused(int status, String detail, boolean itself) implements BatchResult {}

  /**
   * The batch was surely not accepted, and may be later.
   *
   * @param pause what the server asks for; zero: nothing
   */
  record NotYet(StoreException why, Duration pause) implements BatchResult {}

  /** Whether the batch was accepted is unknown. */
  record Lost(StoreException why) implements BatchResult {}
}
