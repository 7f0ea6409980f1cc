package dev.semel.stream.client;

import dev.semel.InvalidInput;
import dev.semel.net.internal.ServerUrl;
import dev.semel.stream.ContentType;
import dev.semel.stream.client.internal.HttpReply;
import java.time.Duration;

/** Sends one request for each chunk, with or without waiting at the end of the stream. */
final class PageSource implements ChunkSource {
  /** Longer than servers let a request wait; only to notice a dead server. */
  static final Duration LONGEST_WAIT = Duration.ofMinutes(2);

  private final CancelHandle line;
  private final DurableStream stream;
  private final boolean live;
  private final int maxBytes;

  PageSource(CancelHandle line, DurableStream stream, boolean live, int maxBytes) {
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
  public StreamChunk next(StreamMark from) throws InterruptedException {
    String query = "offset=" + ServerUrl.encode(from.offset()) + (live ? "&live=long-poll" : "");
    String cursor =
        live && !from.cursor().isEmpty() ? "&cursor=" + ServerUrl.encode(from.cursor()) : "";
    Duration silence = live ? LONGEST_WAIT : line.calls().timeout();
    HttpReply reply =
        line.begin(line.calls().request(query + cursor).GET()).whole(silence, maxBytes);
    return switch (reply.status()) {
      case 200 -> page(reply, from);
      case 204 -> StreamChunk.ofBytes(new byte[0], mark(reply, from));
      default -> throw TransientRefusal.orFinal(reply);
    };
  }

  private StreamChunk page(HttpReply reply, StreamMark from) {
    StreamMark mark = mark(reply, from);
    try {
      ContentType type = reply.type();
      stream.learn(type);
      StreamChunk chunk =
          type.json()
              ? StreamChunk.ofJson(reply.body(), mark)
              : StreamChunk.ofBytes(reply.body(), mark);
      checkProgress(reply, chunk, from);
      return chunk;
    } catch (InvalidInput e) {
      throw new StreamGarbled(
          "what %s sent behind offset %s is not what it says it is: %s"
              .formatted(reply.address(), from.offset(), e.getMessage()));
    }
  }

  /** Without progress, the same page would be requested forever. */
  private void checkProgress(HttpReply reply, StreamChunk chunk, StreamMark from) {
    boolean stuck = chunk.nextOffset().equals(from.offset());
    if (stuck && !(chunk.isEmpty() && (live || chunk.upToDate()))) {
      throw new StreamGarbled(
          "%s leads from offset %s to itself: is it a server of streams?"
              .formatted(reply.address(), from.offset()));
    }
  }

  private static StreamMark mark(HttpReply reply, StreamMark from) {
    boolean closed = reply.isTrue("Stream-Closed");
    return new StreamMark(
        DurableStream.tail(reply),
        reply.header("Stream-Cursor").orElse(from.cursor()),
        closed || reply.isTrue("Stream-Up-To-Date"),
        closed);
  }
}
