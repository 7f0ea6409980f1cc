package dev.semel.stream;

import dev.semel.InvalidInput;
import dev.semel.json.JsonScanner;
import java.util.Arrays;

/**
 * What is to be appended, in the form in which it is stored and sent on. JSON is flattened by one
 * level into messages, each followed by a comma: any run of whole messages becomes an array by
 * dropping its last comma and adding brackets, however many appends it spans.
 *
 * <p>JSON that is not valid is carried along as a problem instead of thrown, because other answers
 * go before it: a duplicate is a duplicate whatever it holds. Made before the check, so that
 * scanning holds no writer up. The bytes belong to the body: don't change them.
 */
public final class Body {
  public static final Body EMPTY = new Body(new byte[0], new int[0], "");

  /** A whole JSON array without elements: nothing to append, but enough to create a stream. */
  private static final String EMPTY_ARRAY = "the JSON array is empty: append at least one message";

  private final byte[] bytes;
  private final int[] ends;
  private final String problem;

  private Body(byte[] bytes, int[] ends, String problem) {
    this.bytes = bytes;
    this.ends = ends;
    this.problem = problem;
  }

  /** No bytes at all are no body, whatever the type. */
  public static Body of(ContentType type, byte[] raw) {
    if (raw.length == 0) {
      return EMPTY;
    }
    return type.json() ? json(raw) : new Body(raw, new int[0], "");
  }

  private static Body json(byte[] raw) {
    int[] ranges;
    try {
      ranges = JsonScanner.elements(raw);
    } catch (InvalidInput e) {
      return new Body(new byte[0], new int[0], String.valueOf(e.getMessage()));
    }
    return ranges.length == 0
        ? new Body(new byte[0], new int[0], EMPTY_ARRAY)
        : flattened(raw, ranges);
  }

  private static Body flattened(byte[] raw, int[] ranges) {
    int[] ends = new int[ranges.length / 2];
    int length = ends.length;
    for (int i = 0; i < ranges.length; i += 2) {
      length += ranges[i + 1] - ranges[i];
    }
    byte[] bytes = new byte[length];
    int at = 0;
    for (int i = 0; i < ends.length; i++) {
      int size = ranges[2 * i + 1] - ranges[2 * i];
      System.arraycopy(raw, ranges[2 * i], bytes, at, size);
      at += size;
      bytes[at++] = ',';
      ends[i] = at;
    }
    return new Body(bytes, ends, "");
  }

  /** Raw bytes whose type was found out later. */
  Body as(ContentType type) {
    return type.json() && ends.length == 0 ? of(type, bytes) : this;
  }

  /** As it was written down; see {@link Change}. */
  static Body stored(byte[] bytes, int[] ends) {
    return bytes.length == 0 ? EMPTY : new Body(bytes, ends, "");
  }

  /** As they are stored. */
  public byte[] bytes() {
    return bytes;
  }

  /** Behind the comma of each message of JSON; empty for other types. */
  public int[] ends() {
    return ends;
  }

  public int length() {
    return bytes.length;
  }

  /** Nothing was sent, as opposed to something that holds nothing. */
  public boolean absent() {
    return bytes.length == 0 && problem.isEmpty();
  }

  /** Why it can't be appended; empty when it can. */
  public String problem() {
    return problem;
  }

  /** Why no stream can begin with it; empty when one can. */
  String problemAsFirst() {
    return problem.equals(EMPTY_ARRAY) ? "" : problem;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Body b
        && Arrays.equals(bytes, b.bytes)
        && Arrays.equals(ends, b.ends)
        && problem.equals(b.problem);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(bytes);
  }

  @Override
  public String toString() {
    return problem.isEmpty() ? bytes.length + " bytes" : problem;
  }
}
