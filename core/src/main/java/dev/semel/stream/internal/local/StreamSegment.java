package dev.semel.stream.internal.local;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * A range of one stream's data in its own file, in the form in which readers get it, so that
 * dropping old data only deletes files. An index beside it has the end and the time of each append:
 * the youngest entries in memory, older ones in a second file.
 *
 * <p>The engine guards it.
 */
final class StreamSegment {
  /** Bytes of an index entry: the end of the append, and its time. */
  static final int ENTRY = 2 * Long.BYTES;

  private final long stream;
  private final long start;
  private final String dataName;
  private long end;
  private long written;
  private final List<byte[]> unwritten = new ArrayList<>(1);
  private long[] entries;
  private int count;
  private int stored;

  StreamSegment(long stream, long start) {
    this(stream, start, start, 0, new long[0]);
  }

  /** From a snapshot: all data is written, and so are the first entries of the index. */
  StreamSegment(long stream, long start, long end, int stored, long[] entries) {
    this.stream = stream;
    this.start = start;
    this.dataName = name("data");
    this.end = end;
    this.written = end;
    this.stored = stored;
    this.entries = entries;
    this.count = entries.length / 2;
  }

  long start() {
    return start;
  }

  long end() {
    return end;
  }

  /**
   * The name contains the stream, so that it is never mixed up with an earlier stream of the path.
   */
  String dataName() {
    return dataName;
  }

  String indexName() {
    return name("index");
  }

  private String name(String kind) {
    return String.format(Locale.ROOT, "%016x-%016x.%s", stream, start, kind);
  }

  void add(byte[] bytes, long at) {
    unwritten.add(bytes);
    end += bytes.length;
    if (2 * count == entries.length) {
      entries = Arrays.copyOf(entries, Math.max(2, 2 * entries.length));
    }
    entries[2 * count] = end;
    // Times are searched, so they must not go back even if the clock does.
    entries[2 * count + 1] = count == 0 ? at : Math.max(at, entries[2 * count - 1]);
    count++;
  }

  /** Up to where the file should hold the data. */
  long written() {
    return written;
  }

  /** Data to be written after that. */
  List<byte[]> unwritten() {
    return unwritten;
  }

  void wroteAll() {
    unwritten.clear();
    written = end;
  }

  /** The number of entries in the index file. */
  int stored() {
    return stored;
  }

  /** The number of entries in {@link #entries}, which follow those. */
  int count() {
    return count;
  }

  long entryEnd(int i) {
    return entries[2 * i];
  }

  long entryTime(int i) {
    return entries[2 * i + 1];
  }

  /** This many of the oldest entries are now in the file. */
  void stored(int oldest) {
    entries = Arrays.copyOfRange(entries, 2 * oldest, 2 * count);
    stored += oldest;
    count -= oldest;
  }
}
