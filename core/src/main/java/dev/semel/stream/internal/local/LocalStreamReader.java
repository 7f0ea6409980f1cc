package dev.semel.stream.internal.local;

import dev.semel.StoreException;
import dev.semel.journal.internal.JournalDisk;
import dev.semel.stream.Offset;
import dev.semel.stream.internal.MessageEnds;
import dev.semel.stream.internal.local.StreamLog.Span;
import dev.semel.stream.spi.DataSlice;
import dev.semel.stream.spi.FilePart;
import dev.semel.stream.spi.ReadFrom;
import dev.semel.stream.spi.StreamHead;
import dev.semel.stream.spi.StreamResult;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Reads streams from their files. The engine's guard covers finding the data, but not fetching it,
 * because committed data never changes and open files stay open for their users.
 */
public final class LocalStreamReader {
  /** Copying less than this is as fast as handing it to the system. */
  private static final int WORTH_SENDING = 64 << 10;

  /** A shorter append is scanned again rather than remembered. */
  private static final int WORTH_KEEPING = 64 << 10;

  /** A longer append is not scanned on a caller's thread. */
  private static final int LONG_SEARCH = 256 << 10;

  /** How much memory remembered message ends may take: an eighth of their appends. */
  private static final long KEPT_BYTES = 8L << 20;

  private static final int PIECE_BYTES = 64 << 10;

  private final StreamFiles files;
  private final JournalDisk disk;
  private final ReentrantLock searching = new ReentrantLock();
  private final Map<Known, MessageEnds> known = new LinkedHashMap<>(16, 0.75f, true);
  private long knownBytes;

  LocalStreamReader(StreamFiles files, JournalDisk disk) {
    this.files = files;
    this.disk = disk;
  }

  /** A range of bytes in one file. */
  private record Part(StreamFiles.Open file, long position, int length) {}

  /** Data that was found; it is held until it is fetched. */
  private final class Parts implements AutoCloseable {
    private final List<Part> parts = new ArrayList<>(1);
    private int length;

    Parts(StreamLog log, long from, long to) throws IOException {
      try {
        for (long at = from; at < to; ) {
          StreamLog holder = log.holding(at);
          StreamSegment chunk = holder.chunk(at);
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

    /** The first part, to be sent from its file; closing it closes all parts. */
    Optional<FilePart> first(long most) {
      Part part = parts.getFirst();
      return part.file()
          .channel()
          .map(
              file ->
                  new FilePart(file, part.position(), Math.min(most, part.length()), this::close));
    }

    /** Scans for messages without fetching all data. */
    MessageEnds messages(long start) throws IOException {
      MessageEnds found = new MessageEnds(start);
      byte[] piece = new byte[PIECE_BYTES];
      for (Part part : parts) {
        for (int at = 0; at < part.length(); ) {
          ByteBuffer into = ByteBuffer.wrap(piece, 0, Math.min(PIECE_BYTES, part.length() - at));
          part.file().read(into, part.position() + at);
          if (into.hasRemaining()) {
            throw shorter();
          }
          found.add(piece, into.position());
          at += into.position();
        }
      }
      return found;
    }

    ByteBuffer fetch(int limit) throws IOException {
      ByteBuffer all = ByteBuffer.allocate(Math.min(limit, length));
      for (Part part : parts) {
        int size = Math.min(part.length(), limit - all.position());
        all.limit(all.position() + size);
        part.file().read(all, part.position());
        if (all.hasRemaining()) {
          throw shorter();
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

  private MessageEnds messages(StreamLog log, Span append) throws IOException {
    Known known = new Known(log.streamHolding(append.start()), append);
    MessageEnds there = known(known);
    if (there != null) {
      return there;
    }
    try (Parts parts = new Parts(log, append.start(), append.end())) {
      return messages(known, parts);
    }
  }

  /** An append whose messages were scanned. */
  private record Known(long stream, Span append) {
    long length() {
      return append.end() - append.start();
    }
  }

  private @Nullable MessageEnds known(Known append) {
    synchronized (known) {
      return known.get(append);
    }
  }

  /** Remembers those of a long append for callers that read it piece by piece. */
  private MessageEnds messages(Known append, Parts parts) throws IOException {
    MessageEnds found = parts.messages(append.append().start());
    if (append.length() >= WORTH_KEEPING) {
      synchronized (known) {
        MessageEnds before = known.put(append, found);
        knownBytes += found.bytes() - (before == null ? 0 : before.bytes());
        Iterator<MessageEnds> eldest = known.values().iterator();
        while (knownBytes > KEPT_BYTES && eldest.hasNext()) {
          knownBytes -= eldest.next().bytes();
          eldest.remove();
        }
      }
    }
    return found;
  }

  Supplier<StreamResult.ToRead> read(
      StreamLog log, StreamHead head, ReadFrom from, int maxBytes, boolean toSend) {
    Offset start = from.in(head);
    if (start.compareTo(head.start()) < 0) {
      return () -> new StreamResult.BelowHorizon(head.start());
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

  private static StreamResult.Malformed refused(Offset start) {
    return new StreamResult.Malformed(
        "the offset %s is none of this stream: send one as this server gave it".formatted(start));
  }

  private Supplier<StreamResult.ToRead> find(
      StreamLog log, StreamHead head, Offset start, int maxBytes, boolean toSend)
      throws IOException {
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
    Known append = new Known(log.streamHolding(first.start()), first);
    Parts parts = new Parts(log, from, Math.max(end, first.end()));
    MessageEnds ends = known(append);
    if (ends != null) {
      return () -> fetchWithin(ends, new Place(end, to), head, start, parts, toSend);
    }
    Parts whole = new Parts(log, first.start(), first.end());
    Supplier<StreamResult.ToRead> search =
        () -> search(append, whole, new Place(end, to), head, start, parts, toSend);
    return append.length() < LONG_SEARCH ? search : new LongRead(() -> alone(search));
  }

  /**
   * One search at a time: a second search for the same append then finds it, and long searches
   * leave the machine to others.
   */
  private <A> A alone(Supplier<A> search) {
    searching.lock();
    try {
      return search.get();
    } finally {
      searching.unlock();
    }
  }

  /** A read with a long search: not for threads that others wait for. */
  public record LongRead(Supplier<StreamResult.ToRead> read)
      implements Supplier<StreamResult.ToRead> {
    @Override
    public StreamResult.ToRead get() {
      return read.get();
    }
  }

  private StreamResult.ToRead search(
      Known append,
      Parts whole,
      Place place,
      StreamHead head,
      Offset start,
      Parts parts,
      boolean toSend) {
    MessageEnds ends;
    try (whole) {
      MessageEnds there = known(append);
      ends = there == null ? messages(append, whole) : there;
    } catch (IOException | RuntimeException e) {
      parts.close();
      throw e instanceof IOException io ? unreadable(io) : (RuntimeException) e;
    }
    return fetchWithin(ends, place, head, start, parts, toSend);
  }

  /**
   * A long run may be sent from its file, up to the end of that file: the next read gets the rest.
   */
  private static Supplier<StreamResult.ToRead> run(
      StreamHead head, Offset start, long end, Parts parts, boolean toSend) {
    if (toSend && end - start.position() >= WORTH_SENDING) {
      Optional<FilePart> part = parts.first(end - start.position());
      if (part.isPresent()) {
        long sent = start.position() + part.get().length();
        StreamResult.ToRead answer =
            new StreamResult.InFile(slice(head, start, sent, List.of()), part.get());
        return () -> answer;
      }
    }
    return () -> fetch(head, start, end, parts);
  }

  /**
   * Where a read that begins or ends inside an append should end.
   *
   * @param end the end of the last whole append that fits
   * @param limit where it should end at the latest
   */
  private record Place(long end, long limit) {}

  private static StreamResult.ToRead fetchWithin(
      MessageEnds ends, Place place, StreamHead head, Offset start, Parts parts, boolean toSend) {
    long from = start.position();
    if (!ends.begins(from)) {
      parts.close();
      return refused(start);
    }
    long end = place.end() > from ? place.end() : ends.cut(from, place.limit());
    return run(head, start, end, parts, toSend).get();
  }

  private static StreamResult.ToRead fetch(StreamHead head, Offset start, long end, Parts parts) {
    try (parts) {
      return data(head, start, end, parts);
    } catch (IOException e) {
      throw unreadable(e);
    }
  }

  private static StreamResult.ToRead data(StreamHead head, Offset start, long end, Parts parts)
      throws IOException {
    int length = Math.toIntExact(end - start.position());
    List<ByteBuffer> stored = length == 0 ? List.of() : List.of(parts.fetch(length));
    return new StreamResult.Data(slice(head, start, end, stored));
  }

  private static DataSlice slice(StreamHead head, Offset start, long end, List<ByteBuffer> stored) {
    Offset next = new Offset(end);
    boolean all = next.equals(head.tail());
    return new DataSlice(head, start, stored, next, all, all && head.closed());
  }

  private static StoreException shorter() {
    return new StoreException(
        "a stream's file is shorter than it was: restore the folder from a backup");
  }

  private static StoreException unreadable(IOException e) {
    return new StoreException("a stream's data can't be read: " + e, e);
  }
}
