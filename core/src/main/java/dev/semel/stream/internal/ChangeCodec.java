package dev.semel.stream.internal;

import dev.semel.StoreException;
import dev.semel.stream.Offset;
import dev.semel.stream.spi.AppendBody;
import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * Encodes changes as bytes: a version, a kind, and then the fields in order, with numbers and
 * lengths at seven bits per byte. A length stands before what it counts; there is no checksum,
 * because the record around it has one.
 *
 * <p>For one writer: {@link #encode} reuses its buffer.
 */
public final class ChangeCodec {
  /** Raised when the fields change; older versions stay readable. */
  static final int VERSION = 1;

  private static final int CREATED = 1;
  private static final int APPENDED = 2;
  private static final int CLOSED = 3;
  private static final int DELETED = 4;
  private static final int EXPIRED = 5;
  private static final int TOUCHED = 6;
  private static final int TRIMMED = 7;
  private static final int PRODUCER_EXPIRED = 8;
  private static final int PRODUCER_FENCED = 9;

  private final ByteSink sink = new ByteSink();
  private final FieldWriter out = new FieldWriter(sink);

  /** The bytes are valid until the next call. */
  public ByteBuffer encode(StreamChange change) {
    sink.clear();
    sink.put(VERSION);
    switch (change) {
      case StreamChange.Created c -> {
        start(CREATED, c);
        out.created(c);
      }
      case StreamChange.Appended c -> {
        start(APPENDED, c);
        out.body(c.body());
        out.marks(c.stamp(), c.seq());
        out.flag(c.closes());
      }
      case StreamChange.Closed c -> {
        start(CLOSED, c);
        out.marks(c.stamp(), c.seq());
      }
      case StreamChange.Deleted c -> start(DELETED, c);
      case StreamChange.Expired c -> start(EXPIRED, c);
      case StreamChange.Touched c -> start(TOUCHED, c);
      case StreamChange.Trimmed c -> {
        start(TRIMMED, c);
        sink.number(c.start().position());
      }
      case StreamChange.ProducerExpired c -> {
        start(PRODUCER_EXPIRED, c);
        sink.text(c.id());
        out.flag(c.managed());
      }
      case StreamChange.ProducerFenced c -> {
        start(PRODUCER_FENCED, c);
        sink.text(c.id());
        out.flag(c.managed());
        sink.number(c.epoch());
      }
    }
    return sink.buffer();
  }

  private void start(int kind, StreamChange change) {
    sink.put(kind);
    sink.number(change.stream());
    sink.number(change.at());
  }

  /**
   * Reads what {@link #encode} wrote.
   *
   * @throws StoreException not one complete change of a known version
   */
  public static StreamChange decode(ByteBuffer bytes) {
    ByteSource source = new ByteSource(bytes);
    if (source.get() != VERSION) {
      throw ByteSource.broken();
    }
    try {
      StreamChange change = decode(source);
      source.end();
      return change;
    } catch (IllegalArgumentException e) { // a value that its own type refuses
      throw ByteSource.broken();
    }
  }

  private static StreamChange decode(ByteSource source) {
    FieldReader in = new FieldReader(source);
    int kind = source.get();
    long stream = source.number();
    long at = source.number();
    return switch (kind) {
      case CREATED -> in.created(stream, at);
      case APPENDED -> {
        AppendBody body = in.body();
        Optional<BatchStamp> stamp = in.stamp();
        yield new StreamChange.Appended(stream, at, body, stamp, in.seq(), in.flag());
      }
      case CLOSED -> {
        Optional<BatchStamp> stamp = in.stamp();
        yield new StreamChange.Closed(stream, at, stamp, in.seq());
      }
      case DELETED -> new StreamChange.Deleted(stream, at);
      case EXPIRED -> new StreamChange.Expired(stream, at);
      case TOUCHED -> new StreamChange.Touched(stream, at);
      case TRIMMED -> new StreamChange.Trimmed(stream, at, new Offset(source.number()));
      case PRODUCER_EXPIRED ->
          new StreamChange.ProducerExpired(stream, at, source.text(), in.flag());
      case PRODUCER_FENCED ->
          new StreamChange.ProducerFenced(stream, at, source.text(), in.flag(), source.number());
      default -> throw ByteSource.broken();
    };
  }
}
