package dev.semel.stream.internal.shared;

import dev.semel.stream.internal.ByteSink;
import dev.semel.stream.internal.ByteSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Maps a stream's own data to the messages of a shared log. A fork reads data before its base from
 * its source, so forking copies nothing. The engine guards it.
 */
final class SharedIndex {
  /** The fields of one message: where its data begins, and its sequence. */
  private static final int FIELDS = 2;

  private final long base;
  private final boolean json;
  private final @Nullable SharedIndex source;
  private long[] entries = {};
  private int size;
  private long end;

  SharedIndex(long base, boolean json, @Nullable SharedIndex source) {
    this.base = base;
    this.json = json;
    this.source = source;
    this.end = base;
  }

  long base() {
    return base;
  }

  boolean json() {
    return json;
  }

  @Nullable SharedIndex source() {
    return source;
  }

  long end() {
    return end;
  }

  int size() {
    return size;
  }

  long start(int i) {
    return entries[FIELDS * i];
  }

  long sequence(int i) {
    return entries[FIELDS * i + 1];
  }

  /** The end of the data of this message. */
  long end(int i) {
    return i + 1 < size ? start(i + 1) : end;
  }

  void add(long sequence, int length) {
    if (length == 0) {
      return;
    }
    if (size == 0 || sequence(size - 1) != sequence) {
      if (FIELDS * size == entries.length) {
        entries = Arrays.copyOf(entries, Math.max(FIELDS, 2 * entries.length));
      }
      entries[FIELDS * size] = end;
      entries[FIELDS * size + 1] = sequence;
      size++;
    }
    end += length;
  }

  /** The messages that hold only appends; the first one also created the stream. */
  List<Long> appended(long first) {
    List<Long> sequences = new ArrayList<>(size);
    for (int i = 0; i < size; i++) {
      if (sequence(i) != first) {
        sequences.add(sequence(i));
      }
    }
    return sequences;
  }

  /** The message that begins at or holds the position, which must be in this index. */
  int at(long position) {
    int low = 0;
    int high = size - 1;
    while (low < high) {
      int middle = (low + high + 1) >>> 1;
      if (start(middle) <= position) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return low;
  }

  /** Writes it into a checkpoint: both fields as differences, which are small. */
  void writeTo(ByteSink out) {
    out.number(size);
    long start = base;
    long sequence = 0;
    for (int i = 0; i < size; i++) {
      out.number(start(i) - start);
      out.number(sequence(i) - sequence);
      start = start(i);
      sequence = sequence(i);
    }
    out.number(end - start);
  }

  static SharedIndex read(ByteSource in, long base, boolean json, @Nullable SharedIndex source) {
    SharedIndex index = new SharedIndex(base, json, source);
    index.size = in.count();
    index.entries = new long[FIELDS * index.size];
    long start = base;
    long sequence = 0;
    for (int i = 0; i < index.size; i++) {
      start += in.number();
      sequence += in.number();
      index.entries[FIELDS * i] = start;
      index.entries[FIELDS * i + 1] = sequence;
    }
    index.end = start + in.number();
    return index;
  }
}
