package dev.semel.json.internal;

import dev.semel.InvalidInput;
import dev.semel.json.Json;
import java.util.Arrays;

/**
 * Finds the elements of a JSON array in its bytes, for callers that pass JSON on without reading
 * it. It builds no values, so it is fast. It refuses what {@link Json#parse(byte[])} refuses,
 * except for two things that only matter to readers of the values: a member's name may occur twice,
 * and numbers may have any size.
 */
public final class JsonScanner {
  private static final int FIRST_ELEMENTS = 8;
  private static final byte[] NOWHERE = {};

  private final byte[] in;
  private int at;
  private int[] ranges = new int[2 * FIRST_ELEMENTS];
  private int count;

  /** The buffer to which elements are copied, each with a comma; empty: elements are only found. */
  private final byte[] out;

  private int written;

  private JsonScanner(byte[] in, byte[] out) {
    this.in = in;
    this.out = out;
  }

  /**
   * The elements, one after the other.
   *
   * @param bytes each element with a comma after it
   * @param ends the position after each comma
   */
  @SuppressWarnings("ArrayRecordComponent") // callers pass them on at once
  public record Flat(byte[] bytes, int[] ends) {}

  /**
   * Copies the elements that {@link #elements} finds, in one go: with many short elements, the
   * positions would take more memory than the elements.
   *
   * @throws InvalidInput not valid JSON; the message says where
   */
  public static Flat flat(byte[] utf8) {
    // In an array, brackets and commas take one byte more than the commas after its elements.
    boolean array = utf8.length > 1 && utf8[0] == '[';
    JsonScanner scanner = new JsonScanner(utf8, new byte[utf8.length + (array ? -1 : 1)]);
    scanner.document();
    byte[] bytes = scanner.out;
    return new Flat(
        scanner.written == bytes.length ? bytes : Arrays.copyOf(bytes, scanner.written),
        Arrays.copyOf(scanner.ranges, scanner.count));
  }

  /**
   * The elements of an array, or a single value that is not an array: for each, the positions of
   * its first byte and after its last, one after the other.
   *
   * @throws InvalidInput not valid JSON; the message says where
   */
  public static int[] elements(byte[] utf8) {
    JsonScanner scanner = new JsonScanner(utf8, NOWHERE);
    scanner.document();
    return Arrays.copyOf(scanner.ranges, scanner.count);
  }

  private void document() {
    blanks();
    if (peek() == '[') {
      array(0);
    } else {
      int start = at;
      value(0);
      add(start, at);
    }
    blanks();
    if (at < in.length) {
      throw expected("the end of the input");
    }
  }

  /**
   * Called for an array's element only after the next character was read: so there is room for its
   * comma.
   */
  private void add(int start, int end) {
    if (count == ranges.length) {
      ranges = Arrays.copyOf(ranges, 2 * count);
    }
    if (out.length == 0) {
      ranges[count++] = start;
      ranges[count++] = end;
      return;
    }
    System.arraycopy(in, start, out, written, end - start);
    written += end - start;
    out[written++] = ',';
    ranges[count++] = written;
  }

  private void value(int depth) {
    if (depth > Json.MAX_DEPTH) {
      throw expected("at most %d levels of nesting".formatted(Json.MAX_DEPTH));
    }
    switch (peek()) {
      case '{' -> object(depth);
      case '[' -> array(depth);
      case '"' -> at = JsonStringScan.end(in, at + 1);
      case 't' -> literal("true");
      case 'f' -> literal("false");
      case 'n' -> literal("null");
      case '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9' -> number();
      default -> throw expected("a value");
    }
  }

  private void object(int depth) {
    at++;
    blanks();
    if (peek() == '}') {
      at++;
      return;
    }
    while (true) {
      if (peek() != '"') {
        throw expected("a member's name in quotation marks");
      }
      at = JsonStringScan.end(in, at + 1);
      blanks();
      if (peek() != ':') {
        throw expected("a colon");
      }
      at++;
      blanks();
      value(depth + 1);
      if (!another('}')) {
        return;
      }
    }
  }

  private void array(int depth) {
    at++;
    blanks();
    if (peek() == ']') {
      at++;
      return;
    }
    while (true) {
      int start = at;
      value(depth + 1);
      int end = at;
      boolean more = another(']');
      if (depth == 0) {
        add(start, end);
      }
      if (!more) {
        return;
      }
    }
  }

  private boolean another(char end) {
    blanks();
    int c = peek();
    if (c != ',' && c != end) {
      throw expected("a comma or \"" + end + '"');
    }
    at++;
    blanks();
    return c == ',';
  }

  private void literal(String word) {
    for (int i = 0; i < word.length(); i++) {
      if (peek() != word.charAt(i)) {
        throw expected(word);
      }
      at++;
    }
  }

  private void number() {
    if (peek() == '-') {
      at++;
    }
    if (peek() == '0') {
      at++;
    } else {
      digits();
    }
    if (peek() == '.') {
      at++;
      digits();
    }
    if (peek() == 'e' || peek() == 'E') {
      at++;
      if (peek() == '+' || peek() == '-') {
        at++;
      }
      digits();
    }
  }

  private void digits() {
    int start = at;
    while (peek() >= '0' && peek() <= '9') {
      at++;
    }
    if (at == start) {
      throw expected("a digit");
    }
  }

  private void blanks() {
    while (at < in.length
        && (in[at] == ' ' || in[at] == '\n' || in[at] == '\r' || in[at] == '\t')) {
      at++;
    }
  }

  /** The byte here, or -1 at the end and for bytes beyond ASCII: neither matches any rule. */
  private int peek() {
    return at < in.length ? in[at] : -1;
  }

  private InvalidInput expected(String what) {
    return expected(at, what);
  }

  static InvalidInput expected(int where, String what) {
    return new InvalidInput("not valid JSON at byte offset %d: expected %s".formatted(where, what));
  }
}
