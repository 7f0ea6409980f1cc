package dev.semel.stream;

import dev.semel.StoreException;
import dev.semel.journal.Disk;
import dev.semel.json.JsonScanner;
import dev.semel.stream.StreamLog.Span;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Supplier;

/**
 * Reads streams from their files. Where the data lies is found under the engine's guard; fetching
 * it is not, because what was committed never changes and open files stay open for those who have
 * them.
 */
final class StreamReader {
  /** Less than this is copied as fast as it is handed to the system. */
  private static final int WORTH_SENDING = 64 << 10;

  private final StreamFiles files;
  private final Disk disk;

  StreamReader(StreamFiles files, Disk disk) {
    this.files = files;
    this.disk = disk;
  }

  /** A run of bytes in one file. */
  private record Part(StreamFiles.Open file, long position, int length) {}

  /** Data that was found and is held until it is fetched. */
  private final class Parts implements AutoCloseable {
    private final List<Part> parts = new ArrayList<>(1);
    private int length;

    Parts(StreamLog log, long from, long to) throws IOException {
      try {
        for (long at = from; at < to; ) {
          StreamLog holder = log.holding(at);
          Chunk chunk = holder.chunk(at);
          long end = Math.min(chunk.end(), log.limit(holder, to));
          int size = Math.toIntExact(end - at);
          parts.add(new Part(files.open(chunk.dataName()), at - chunk.start(), size));
          length += size;
          at = end;
        }
      } catch (IOException | RuntimeException e) {
        close();
        throw e;
      }
    }

    /** The first of them to be sent from its file; it then closes all of them. */
    Optional<FilePart> first() {
      Part part = parts.getFirst();
      return part.file()
          .channel()
          .map(file -> new FilePart(file, part.position(), part.length(), this::close));
    }

    ByteBuffer fetch(int limit) throws IOException {
      ByteBuffer all = ByteBuffer.allocate(Math.min(limit, length));
      for (Part part : parts) {
        int size = Math.min(part.length(), limit - all.position());
        all.limit(all.position() + size);
        part.file().read(all, part.position());
        if (all.hasRemaining()) {
          throw new StoreException(
              "a stream's file is shorter than it was: restore the folder from a backup");
        }
      }
      return all.flip();
    }

    @Override
    public void close() {
      for (Part part : parts) {
        try {
          part.file().release();
        } catch (IOException e) {
          // It was only read.
        }
      }
      parts.clear();
    }
  }

  OptionalLong beyond(StreamLog log, long anchor, long units) throws IOException {
    return log.beyond(disk, anchor, units, span -> messages(log, span));
  }

  private long[] messages(StreamLog log, Span append) throws IOException {
    try (Parts parts = new Parts(log, append.start(), append.end())) {
      return messages(append, parts);
    }
  }

  /** Where each message of one append ends: behind its comma. */
  private static long[] messages(Span append, Parts parts) throws IOException {
    ByteBuffer stored = parts.fetch(Integer.MAX_VALUE);
    byte[] array = new byte[stored.remaining() + 1];
    array[0] = '[';
    stored.get(array, 1, stored.remaining());
    array[array.length - 1] = ']'; // in the place of the last comma
    int[] ranges = JsonScanner.elements(array);
    long[] ends = new long[ranges.length / 2];
    for (int i = 0; i < ends.length; i++) {
      ends[i] = append.start() + ranges[2 * i + 1];
    }
    return ends;
  }

  Supplier<Answer.ToRead> read(
      StreamLog log, Head head, ReadFrom from, int maxBytes, boolean toSend) {
    Offset start = from.in(head);
    if (start.compareTo(head.start()) < 0) {
      return () -> new Answer.BelowHorizon(head.start());
    }
    if (start.compareTo(head.tail()) > 0) {
      return () -> refused(start);
    }
    try {
      return find(log, head, start, maxBytes, toSend);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Answer.Malformed refused(Offset start) {
    return new Answer.Malformed(
        "the offset %s is none of this stream: send one as this server gave it".formatted(start));
  }

  private Supplier<Answer.ToRead> find(
      StreamLog log, Head head, Offset start, int maxBytes, boolean toSend) throws IOException {
    long from = start.position();
    long tail = head.tail().position();
    long to = Math.min(tail, from + maxBytes);
    if (!log.json() || from == tail) {
      return run(head, start, to, new Parts(log, from, to), toSend);
    }
    Span first = log.appendAt(disk, from);
    long end = to == tail ? to : log.appendAt(disk, to).start();
    if (from == first.start() && end > from) {
      return run(head, start, end, new Parts(log, from, end), toSend);
    }
    Parts append = new Parts(log, first.start(), first.end());
    Parts parts = new Parts(log, from, Math.max(end, first.end()));
    return () -> fetchWithin(new Place(first, end, to), head, start, append, parts);
  }

  /**
   * Of a long one that may be sent from its file, as much as lies in one: the rest is read next.
   */
  private static Supplier<Answer.ToRead> run(
      Head head, Offset start, long end, Parts parts, boolean toSend) {
    if (toSend && end - start.position() >= WORTH_SENDING) {
      Optional<FilePart> part = parts.first();
      if (part.isPresent()) {
        long sent = start.position() + part.get().length();
        Answer.ToRead answer = new Answer.InFile(slice(head, start, sent, List.of()), part.get());
        return () -> answer;
      }
    }
    return () -> fetch(head, start, end, parts);
  }

  /**
   * Where a read begins or ends within an append.
   *
   * @param end where it ends if that is behind the append
   * @param limit where it should end at the latest
   */
  private record Place(Span append, long end, long limit) {}

  private static Answer.ToRead fetchWithin(
      Place place, Head head, Offset start, Parts append, Parts parts) {
    try (append;
        parts) {
      long[] ends = messages(place.append(), append);
      long from = start.position();
      boolean known = from == place.append().start() || Arrays.binarySearch(ends, from) >= 0;
      if (!known) {
        return refused(start);
      }
      long end = place.end() > from ? place.end() : cut(ends, from, place.limit());
      return data(head, start, end, parts);
    } catch (IOException e) {
      throw unreadable(e);
    }
  }

  /** As many messages as fit, but one at least, or a reader would never get on. */
  private static long cut(long[] ends, long from, long limit) {
    long cut = from;
    for (long end : ends) {
      if (end > limit && cut > from) {
        break;
      }
      cut = Math.max(cut, end);
    }
    return cut;
  }

  private static Answer.ToRead fetch(Head head, Offset start, long end, Parts parts) {
    try (parts) {
      return data(head, start, end, parts);
    } catch (IOException e) {
      throw unreadable(e);
    }
  }

  private static Answer.ToRead data(Head head, Offset start, long end, Parts parts)
      throws IOException {
    int length = Math.toIntExact(end - start.position());
    List<ByteBuffer> stored = length == 0 ? List.of() : List.of(parts.fetch(length));
    return new Answer.Data(slice(head, start, end, stored));
  }

  private static Slice slice(Head head, Offset start, long end, List<ByteBuffer> stored) {
    Offset next = new Offset(end);
    boolean all = next.equals(head.tail());
    return new Slice(head, start, stored, next, all, all && head.closed());
  }

  private static StoreException unreadable(IOException e) {
    return new StoreException("a stream's data can't be read: " + e, e);
  }
}
