package dev.semel.stream.internal.shared;

import dev.semel.StoreException;
import dev.semel.stream.StreamPath;
import dev.semel.stream.internal.ByteSink;
import dev.semel.stream.internal.ByteSource;
import dev.semel.stream.internal.ChangeCodec;
import dev.semel.stream.internal.StreamChange;
import dev.semel.stream.spi.AppendBody;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * The content of one message of a shared log: changes of one path's stream that take effect
 * together.
 *
 * @param attempt by it the writer recognises its own message, even if the answer was lost
 */
public record LogTransition(StreamPath path, String attempt, List<StreamChange> changes) {
  /** Raised when the fields change; older versions stay readable. */
  private static final int VERSION = 1;

  /** The size around the changes: the path, the attempt, and lengths. */
  public static final int OVERHEAD = StreamPath.MAX_BYTES + 128;

  public byte[] encode() {
    ByteSink out = new ByteSink();
    ChangeCodec codec = new ChangeCodec();
    out.put(VERSION);
    out.text(path.text());
    out.text(attempt);
    out.number(changes.size());
    for (StreamChange change : changes) {
      out.bytes(codec.encode(change));
    }
    ByteBuffer encoded = out.buffer();
    byte[] message = new byte[encoded.remaining()];
    encoded.get(message);
    return message;
  }

  /**
   * Reads what {@link #encode} wrote.
   *
   * @throws StoreException not of a known version
   */
  public static LogTransition decode(byte[] message) {
    ByteSource in = new ByteSource(ByteBuffer.wrap(message));
    if (in.get() != VERSION) {
      throw ByteSource.broken();
    }
    try {
      StreamPath path = in.path();
      String attempt = in.text();
      int count = in.count();
      List<StreamChange> changes = new ArrayList<>(count);
      for (int i = 0; i < count; i++) {
        changes.add(ChangeCodec.decode(ByteBuffer.wrap(in.bytes())));
      }
      in.end();
      return new LogTransition(path, attempt, changes);
    } catch (IllegalArgumentException e) { // a value that its own type refuses
      throw ByteSource.broken();
    }
  }

  /** The data of its stream, append by append. */
  List<AppendBody> bodies() {
    List<AppendBody> bodies = new ArrayList<>(changes.size());
    for (StreamChange change : changes) {
      if (change instanceof StreamChange.Appended a) {
        bodies.add(a.body());
      } else if (change instanceof StreamChange.Created c) {
        bodies.add(c.body());
      }
    }
    return bodies;
  }
}
