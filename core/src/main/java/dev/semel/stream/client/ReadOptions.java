package dev.semel.stream.client;

import dev.semel.InvalidInput;
import java.time.Duration;

/**
 * Where a {@link StreamReader} starts, and how it waits and retries.
 *
 * @param from an offset of this stream, {@link #START} or {@link #NOW}
 * @param maxChunkBytes the most bytes that the server may send as one answer or event
 * @param patience how long the reader keeps trying when the server can't be reached, fails or is
 *     busy, before it throws; it can be asked again even then
 * @param firstPause the first pause between tries; each is about twice the one before
 * @param longestPause the longest pause between tries
 */
public record ReadOptions(
    String from,
    Live live,
    int maxChunkBytes,
    Duration patience,
    Duration firstPause,
    Duration longestPause) {
  /** From the first data that is still kept. */
  public static final String START = "-1";

  /** From where the stream ends when the server is first asked. */
  public static final String NOW = "now";

  /** Enough for what servers send at once, and little compared with a heap. */
  public static final int MAX_CHUNK_BYTES = 64 << 20;

  /** What happens at the end of the stream. */
  public enum Live {
    /** Returns empty, and can be asked again later. */
    CATCH_UP,
    /** Waits for more, with one request for each answer. Every byte arrives as it was appended. */
    LONG_POLL,
    /**
     * Waits for more on one connection, by server-sent events. Text arrives with LF at the end of
     * every line, whatever was appended; JSON and binary data are unchanged.
     */
    SSE,
    /** Catches up first, then waits: for JSON by events, else by long polling. */
    AUTO
  }

  public ReadOptions {
    if (from.isEmpty() || !from.chars().allMatch(c -> c > ' ' && c <= '~')) {
      throw new InvalidInput("an offset is text that the server gave, or -1 or now");
    }
    if (maxChunkBytes <= 0) {
      throw new InvalidInput("the most bytes of a chunk must be above zero");
    }
    if (patience.isNegative() || !firstPause.isPositive() || !longestPause.isPositive()) {
      throw new InvalidInput("patience must not be negative, and pauses must be above zero");
    }
  }

  /** Reads from the start to the stream's end. */
  public static ReadOptions defaults() {
    return new ReadOptions(
        START,
        Live.CATCH_UP,
        MAX_CHUNK_BYTES,
        Duration.ofMinutes(1),
        Duration.ofMillis(50),
        Duration.ofSeconds(5));
  }

  /** Reads from an offset to the stream's end. */
  public static ReadOptions from(String offset) {
    return defaults().withFrom(offset);
  }

  public ReadOptions withFrom(String offset) {
    return new ReadOptions(offset, live, maxChunkBytes, patience, firstPause, longestPause);
  }

  public ReadOptions withLive(Live next) {
    return new ReadOptions(from, next, maxChunkBytes, patience, firstPause, longestPause);
  }

  public ReadOptions withMaxChunkBytes(int bytes) {
    return new ReadOptions(from, live, bytes, patience, firstPause, longestPause);
  }

  public ReadOptions withPatience(Duration next) {
    return new ReadOptions(from, live, maxChunkBytes, next, firstPause, longestPause);
  }

  public ReadOptions withPauses(Duration first, Duration longest) {
    return new ReadOptions(from, live, maxChunkBytes, patience, first, longest);
  }
}
