package dev.semel.stream.spi;

import dev.semel.InvalidInput;
import dev.semel.json.internal.JsonScanner;
import dev.semel.stream.ContentType;
import dev.semel.stream.internal.StreamChange;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The data of an append, in the form in which it is stored and sent. JSON is flattened by one level
 * into messages, each followed by a comma: any run of whole messages becomes an array by dropping
 * its last comma and adding brackets, however many appends it spans.
 *
 * <p>Invalid JSON is kept as a problem instead of thrown, because other answers take precedence: a
 * duplicate is a duplicate whatever it holds. Made before the check, so that parsing does not delay
 * other writers. Do not change its bytes.
 */
public final class AppendBody {
  public static final AppendBody EMPTY = new AppendBody(new byte[0], new int[0], "");

  /** An empty JSON array has nothing to append, but is enough to create a stream. */
  private static final String EMPTY_ARRAY = "the JSON array is empty: append at least one message";

  private final byte[] bytes;
  private final int[] ends;
  private final String problem;
  private volatile @Nullable AppendBody asJson;

  private AppendBody(byte[] bytes, int[] ends, String problem) {
    this.bytes = bytes;
    this.ends = ends;
    this.problem = problem;
  }

  /** No bytes are no body, whatever the type. */
  public static AppendBody of(ContentType type, byte[] raw) {
    if (raw.length == 0) {
      return EMPTY;
    }
    return type.json() ? json(raw) : new AppendBody(raw, new int[0], "");
  }

  private static AppendBody json(byte[] raw) {
    JsonScanner.Flat flat;
    try {
      flat = JsonScanner.flat(raw);
    } catch (InvalidInput e) {
      return new AppendBody(new byte[0], new int[0], String.valueOf(e.getMessage()));
    }
    return new AppendBody(flat.bytes(), flat.ends(), flat.ends().length == 0 ? EMPTY_ARRAY : "");
  }

  /**
   * This body as another type, for raw bytes whose type became known later. Parses them only once.
   */
  public AppendBody as(ContentType type) {
    if (!type.json() || ends.length > 0) {
      return this;
    }
    AppendBody made = asJson;
    if (made == null) {
      made = of(type, bytes);
      asJson = made;
    }
    return made;
  }

  /** A body read back from a stored change; see {@link StreamChange}. */
  public static AppendBody stored(byte[] bytes, int[] ends) {
    return bytes.length == 0 ? EMPTY : new AppendBody(bytes, ends, "");
  }

  /** The bytes as they are stored. */
  public byte[] bytes() {
    return bytes;
  }

  /** The position after the comma of each JSON message; empty for other types. */
  public int[] ends() {
    return ends;
  }

  public int length() {
    return bytes.length;
  }

  /** True: nothing was sent, as opposed to an empty array. */
  public boolean absent() {
    return bytes.length == 0 && problem.isEmpty();
  }

  /** Why it can't be appended; empty if it can. */
  public String problem() {
    return problem;
  }

  /** Why a stream can't begin with it; empty if it can. */
  public String problemAsFirst() {
    return problem.equals(EMPTY_ARRAY) ? "" : problem;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof AppendBody b
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
