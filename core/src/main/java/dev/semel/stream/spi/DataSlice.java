package dev.semel.stream.spi;

import dev.semel.stream.Offset;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * A part of a stream's data. It does not change any more, whatever happens to the stream.
 *
 * @param stored the data as it is stored, in pieces; of JSON only whole messages
 * @param next where to continue reading
 * @param upToDate true: it reaches the tail of that time
 * @param closed true: it reaches the end: no data will ever follow
 */
public record DataSlice(
    StreamHead head,
    Offset from,
    List<ByteBuffer> stored,
    Offset next,
    boolean upToDate,
    boolean closed) {

  /** This slice with its data. */
  public DataSlice with(List<ByteBuffer> data) {
    return new DataSlice(head, from, data, next, upToDate, closed);
  }

  /** The data as a reader gets it: bytes as they were appended, JSON as one array. */
  public byte[] body() {
    boolean json = head.config().type().json();
    int length = Math.toIntExact(next.position() - from.position());
    if (!json) {
      return copy(new byte[length], 0);
    }
    if (length == 0) {
      return new byte[] {'[', ']'};
    }
    // One bracket in front; the other one replaces the last comma.
    byte[] array = copy(new byte[length + 1], 1);
    array[0] = '[';
    array[length] = ']';
    return array;
  }

  private byte[] copy(byte[] into, int at) {
    int position = at;
    for (ByteBuffer piece : stored) {
      int size = piece.remaining();
      piece.get(piece.position(), into, position, size);
      position += size;
    }
    return into;
  }
}
