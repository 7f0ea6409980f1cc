package dev.semel.server.stream;

import dev.semel.server.http.MemoryBudget;
import dev.semel.stream.ContentType;
import dev.semel.stream.Offset;
import dev.semel.stream.spi.DataSlice;
import dev.semel.stream.spi.StreamHead;
import dev.semel.stream.spi.StreamResult;
import io.vertx.core.buffer.Buffer;
import java.nio.ByteBuffer;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A run of data and its encoded forms, which are made on first use and shared by all readers of one
 * event loop at the same place. Buffers can be written many times.
 */
final class EncodedData {
  private static final Buffer EMPTY_ARRAY = Buffer.buffer("[]");
  private static final Buffer EMPTY = Buffer.buffer();

  private final DataSlice slice;
  private final Offset next;
  private final boolean whole;
  private @Nullable Buffer body;
  private @Nullable EncodedData forEvents;
  private @Nullable Buffer events;
  private long eventsCursor;
  private int holders;
  private long held;

  private EncodedData(DataSlice slice, Offset next, boolean whole) {
    this.slice = slice;
    this.next = next;
    this.whole = whole;
  }

  static EncodedData of(DataSlice slice) {
    return new EncodedData(slice, slice.next(), true);
  }

  /** Empty: the answer has no data. */
  static Optional<EncodedData> ofData(StreamResult.ToRead answer) {
    return answer instanceof StreamResult.Data d ? Optional.of(of(d.slice())) : Optional.empty();
  }

  /**
   * Returns the data for a reader of events, whose text must end at a whole character. The rest is
   * read next.
   */
  EncodedData forEvents() {
    EncodedData made = forEvents;
    if (made == null) {
      made = wholeCharacters();
      forEvents = made;
    }
    return made;
  }

  private EncodedData wholeCharacters() {
    ContentType type = slice.head().config().type();
    if (slice.upToDate() || type.json() || !SseEvents.text(type)) {
      return this;
    }
    byte[] bytes = slice.body();
    int kept = SseEvents.wholeCharacters(bytes);
    return kept == bytes.length
        ? this
        : new EncodedData(slice, new Offset(slice.from().position() + kept), false);
  }

  DataSlice slice() {
    return slice;
  }

  /** Offset to read on from. */
  Offset next() {
    return next;
  }

  /** Whether it ends where its data does. */
  boolean whole() {
    return whole;
  }

  /**
   * The part that a reader needs after the write, without the data: a stalled reader keeps only
   * this.
   */
  record End(StreamHead head, Offset next, boolean upToDate, boolean closed) {}

  End end() {
    return new End(slice.head(), next, upToDate(), closed());
  }

  boolean empty() {
    return slice.next().equals(slice.from());
  }

  boolean upToDate() {
    return whole && slice.upToDate();
  }

  boolean closed() {
    return whole && slice.closed();
  }

  Buffer body() {
    Buffer made = body;
    if (made == null) {
      made = encode(slice);
      body = made;
    }
    return made;
  }

  /** Copies once, from the engine's memory into what is sent. */
  private static Buffer encode(DataSlice slice) {
    boolean json = slice.head().config().type().json();
    int length = Math.toIntExact(slice.next().position() - slice.from().position());
    if (length == 0) {
      return json ? EMPTY_ARRAY : EMPTY;
    }
    Buffer out = Buffer.buffer(length + 1);
    int at = 0;
    if (json) {
      out.appendByte((byte) '[');
      at = 1;
    }
    for (ByteBuffer piece : slice.stored()) {
      out.setBytes(at, piece.slice());
      at += piece.remaining();
    }
    if (json) {
      out.setByte(length, (byte) ']'); // in place of the last comma
    }
    return out;
  }

  /**
   * Keeps its events for a reader in the middle of them. Events and data count once, for any number
   * of such readers.
   *
   * @return false: the budget has no room
   */
  boolean hold(MemoryBudget budget) {
    if (holders == 0) {
      long data = slice.next().position() - slice.from().position();
      long bytes = data + (events == null ? 0 : events.length());
      if (!budget.take(bytes)) {
        return false;
      }
      held = bytes;
    }
    holders++;
    return true;
  }

  /** True: no reader needs it any more. */
  boolean letGo(MemoryBudget budget) {
    if (--holders > 0) {
      return false;
    }
    budget.letGo(held);
    return true;
  }

  /** The data event, if there is data, and the control event, in one buffer. */
  Buffer events(long cursor) {
    Buffer made = events;
    if (made == null || eventsCursor != cursor) {
      made = Buffer.buffer(Math.toIntExact(next.position() - slice.from().position()) + 256);
      if (!empty()) {
        int length = Math.toIntExact(next.position() - slice.from().position());
        byte[] raw = slice.body();
        SseEvents.data(made, slice.head().config().type(), raw, whole ? raw.length : length);
      }
      SseEvents.control(made, next, cursor, upToDate(), closed());
      events = made;
      eventsCursor = cursor;
    }
    return made;
  }
}
