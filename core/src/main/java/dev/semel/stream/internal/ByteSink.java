package dev.semel.stream.internal;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** A growing byte buffer. One writer reuses it, so that records cost no garbage. */
public final class ByteSink {
  private byte[] bytes = new byte[256];
  private int size;

  void clear() {
    size = 0;
  }

  /** Valid until the next {@link #clear}. */
  public ByteBuffer buffer() {
    return ByteBuffer.wrap(bytes, 0, size);
  }

  public void put(int b) {
    room(1);
    bytes[size++] = (byte) b;
  }

  /**
   * Writes seven bits per byte, the lowest first; small numbers are short. Negative ones take ten
   * bytes.
   */
  public void number(long value) {
    long rest = value;
    while ((rest & ~0x7FL) != 0) {
      put((int) (rest & 0x7F) | 0x80);
      rest >>>= 7;
    }
    put((int) rest);
  }

  void bytes(byte[] data) {
    number(data.length);
    room(data.length);
    System.arraycopy(data, 0, bytes, size, data.length);
    size += data.length;
  }

  public void bytes(ByteBuffer data) {
    int length = data.remaining();
    number(length);
    room(length);
    data.get(bytes, size, length);
    size += length;
  }

  public void text(String text) {
    bytes(text.getBytes(StandardCharsets.UTF_8));
  }

  private void room(int more) {
    if (bytes.length - size < more) {
      bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, Math.addExact(size, more)));
    }
  }
}
