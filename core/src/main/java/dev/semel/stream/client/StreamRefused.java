package dev.semel.stream.client;

import dev.semel.StoreException;
import java.util.Optional;

/**
 * Thrown when the server understood a request and refused it: nothing changed. Trying again alone
 * does not help.
 */
public final class StreamRefused extends StoreException {
  private static final long serialVersionUID = 1L;

  /** The reason, in the words of the protocol. */
  public enum Reason {
    /** There is no such stream, or no longer. */
    NOT_FOUND,
    /** The stream was deleted, or the data at this offset is no longer kept. */
    GONE,
    /** The stream has another type, or was created with other settings. */
    CONFLICT,
    /** Nothing can be appended any more. */
    CLOSED,
    /** The tail is not where the caller expected it; see {@link #tail()}. */
    TAIL_MOVED,
    /** A later sequence was appended already, or an earlier one is missing. */
    SEQUENCE,
    /** The caller lacks the right, or the server never does this. */
    NOT_ALLOWED,
    /** The request is not valid. */
    MALFORMED,
    TOO_LARGE,
    /** Too many requests at a time; try later. */
    BUSY,
    /** The server's disk or one of its limits is full. */
    NO_ROOM,
    OTHER
  }

  private final int status;
  private final Reason reason;
  private final String tail;

  /**
   * @param tail empty: the answer does not say
   */
  StreamRefused(String message, int status, Reason reason, String tail) {
    super(message);
    this.status = status;
    this.reason = reason;
    this.tail = tail;
  }

  /** The HTTP status. */
  public int status() {
    return status;
  }

  public Reason reason() {
    return reason;
  }

  /** Where the stream ends, if the answer says so. */
  public Optional<String> tail() {
    return tail.isEmpty() ? Optional.empty() : Optional.of(tail);
  }
}
