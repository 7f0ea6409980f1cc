package dev.semel.stream.client;

import dev.semel.InvalidInput;
import dev.semel.stream.ContentType;
import java.time.Duration;

/** One request for each chunk, which waits at the end of the stream or does not. */
final class PageSource implements Source {
  /** Longer than servers let anyone wait; only to notice one that is gone without a word. */
  static final Duration LONGEST_WAIT = Duration.ofMinutes(2);

  private final Lifeline line;
  private final DurableStream stream;
  private final boolean live;
  private final int maxBytes;

  PageSource(Lifeline line, DurableStream stream, boolean live, int maxBytes) {
    this.line = line;
    this.stream = stream;
    this.live = live;
    this.maxBytes = maxBytes;
  }

  /** Whether it waits at the end of the stream. */
  boolean live() {
    return live;
  }

  @Override
  public Chunk next(Mark from) throws InterruptedException {
    String query = "offset=" + Wire.encode(from.offset()) + (live ? "&live=long-poll" : "");
    String cursor = live && !from.cursor().isEmpty() ? "&cursor=" + Wire.encode(from.cursor()) : "";
    Duration silence = live ? LONGEST_WAIT : line.calls().timeout();
    HttpReply reply =
        line.begin(line.calls().request(query + cursor).GET()).whole(silence, maxBytes);
    return switch (reply.status()) {
      case 200 -> page(reply, from);
      case 204 -> Chunk.ofBytes(new byte[0], mark(reply, from));
      default -> throw Passing.orFinal(reply);
    };
  }

  private Chunk page(HttpReply reply, Mark from) {
    Mark mark = mark(reply, from);
    try {
      ContentType type = reply.type();
      stream.learn(type);
      Chunk chunk =
          type.json() ? Chunk.ofJson(reply.body(), mark) : Chunk.ofBytes(reply.body(), mark);
      checkProgress(reply, chunk, from);
      return chunk;
    } catch (InvalidInput e) {
      throw new StreamGarbled(
          "what %s sent behind offset %s is not what it says it is: %s"
              .formatted(reply.address(), from.offset(), e.getMessage()));
    }
  }

  /** Or the same would be asked for ever. */
  private void checkProgress(HttpReply reply, Chunk chunk, Mark from) {
    boolean stuck = chunk.nextOffset().equals(from.offset());
    if (stuck && !(chunk.isEmpty() && (live || chunk.upToDate()))) {
      throw new StreamGarbled(
          "%s leads from offset %s to itself: is it a server of streams?"
              .formatted(reply.address(), from.offset()));
    }
  }

  private static Mark mark(HttpReply reply, Mark from) {
    boolean closed = reply.isTrue("Stream-Closed");
    return new Mark(
        DurableStream.tail(reply),
        reply.header("Stream-Cursor").orElse(from.cursor()),
        closed || reply.isTrue("Stream-Up-To-Date"),
        closed);
  }
}
