package dev.semel.stream.internal;

import dev.semel.StoreException;
import dev.semel.stream.StreamPath;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** Reads what {@link ByteSink} wrote; refuses anything else. */
public final class ByteSource {
  private final ByteBuffer in;

  public ByteSource(ByteBuffer in) {
    this.in = in.slice();
  }

  public int get() {
    if (!in.hasRemaining()) {
      throw broken();
    }
    return in.get();
  }

  public long number() {
    long value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      int b = get();
      value |= (long) (b & 0x7F) << shift;
      if (b >= 0) {
        return value;
      }
    }
    throw broken();
  }

  /** A count of following items, so never more than there are bytes. */
  public int count() {
    long count = number();
    if (count < 0 || count > in.remaining()) {
      throw broken();
    }
    return (int) count;
  }

  public byte[] bytes() {
    byte[] data = new byte[count()];
    in.get(data);
    return data;
  }

  public String text() {
    return new String(bytes(), StandardCharsets.UTF_8);
  }

  /** A stored path, including the server's reserved ones. */
  public StreamPath path() {
    String text = text();
    String reserved = StreamPath.RESERVED + '/';
    return text.startsWith(reserved)
        ? StreamPath.reserved(text.substring(reserved.length()))
        : new StreamPath(text);
  }

  public void end() {
    if (in.hasRemaining()) {
      throw broken();
    }
  }

  public static StoreException broken() {
    return new StoreException(
        "a change of a stream can't be read: it was damaged, or written by a later version");
  }
}
