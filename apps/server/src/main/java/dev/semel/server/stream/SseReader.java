package dev.semel.server.stream;

import dev.semel.server.http.HeaderNames;
import dev.semel.server.http.MemoryBudget;
import dev.semel.server.http.PacedResponse;
import dev.semel.stream.StreamPath;
import dev.semel.stream.spi.ReadFrom;
import dev.semel.stream.spi.StreamResult;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A reader that gets events as they come. It is read for only as fast as it takes them: the rest
 * stays in the stream, not in memory.
 */
final class SseReader implements ReadRoute.LiveReader, TailReaders.Reader {
  private static final long NO_TIMER = -1;
  private static final long NO_STREAM = -1;
  private static final CharSequence EVENT_STREAM = HeaderNames.name("text/event-stream");
  private static final CharSequence NO_CACHE = HeaderNames.name("no-cache");
  private static final CharSequence BASE64 = HeaderNames.name("base64");

  private final ReadRoute route;
  private final HttpServerRequest request;
  private final HttpServerResponse response;
  private final PacedResponse paced;
  private final StreamPath path;
  private final long cursor;
  private ReadFrom from;
  private long incarnation = NO_STREAM;
  private @Nullable Runnable waiting;
  private long timer = NO_TIMER;
  private boolean over;
  private boolean timeIsUp;
  private @Nullable EncodedData holding;

  SseReader(
      ReadRoute route, HttpServerRequest request, StreamPath path, ReadFrom from, long cursor) {
    this.route = route;
    this.request = request;
    this.response = request.response();
    this.paced = new PacedResponse(route.budget(), request);
    this.path = path;
    this.from = from;
    this.cursor = route.cursors().after(cursor);
  }

  @Override
  public HttpServerRequest request() {
    return request;
  }

  @Override
  public void begin() {
    timer = route.vertx().setTimer(route.serving().sseReconnect().toMillis(), t -> timeIsUp());
    read();
  }

  private void read() {
    route.read(path, from, this);
  }

  @Override
  public void ready(StreamResult.ToRead answer, Optional<EncodedData> reading) {
    waiting = null;
    if (over) {
      return;
    }
    if (reading.isEmpty() || anotherStream(reading.get())) {
      refuse(answer);
      return;
    }
    EncodedData read = reading.get().forEvents();
    open(read);
    write(read);
  }

  private boolean anotherStream(EncodedData read) {
    return incarnation != NO_STREAM && read.slice().head().incarnation() != incarnation;
  }

  /**
   * After the first event no other answer is possible: the client reads again, and gets the refusal
   * then.
   */
  private void refuse(StreamResult.ToRead answer) {
    if (response.headWritten()) {
      finish();
    } else {
      end();
      ReadReply.refused(answer).send(request);
    }
  }

  private void open(EncodedData read) {
    if (incarnation != NO_STREAM) {
      return;
    }
    incarnation = read.slice().head().incarnation();
    response
        .setChunked(true)
        .putHeader(HeaderNames.CONTENT_TYPE, EVENT_STREAM)
        .putHeader(HeaderNames.CACHE_CONTROL, NO_CACHE);
    if (!SseEvents.text(read.slice().head().config().type())) {
      response.putHeader(HeaderNames.STREAM_SSE_DATA_ENCODING, BASE64);
    }
  }

  private void write(EncodedData read) {
    Buffer events = read.events(Math.max(cursor, route.cursors().now()));
    from = new ReadFrom.At(read.next());
    write(read, route.reply().sent(events), 0);
  }

  /**
   * Writes as much as the connection takes. A stalled reader holds one piece and its offset, and
   * the rest only of a message that is longer than a piece.
   */
  private void write(EncodedData read, Buffer events, int start) {
    EncodedData.End last = read.end();
    int most = MemoryBudget.PIECE_BYTES; // not smaller: usually there is only one
    for (int at = start; !over && at < events.length(); ) {
      int end = events.length() - at <= 2 * most ? events.length() : at + most;
      Buffer piece = at == 0 && end == events.length() ? events : events.slice(at, end);
      Runnable taken =
          end == events.length() ? () -> written(last) : () -> taken(read, events, end);
      if (!paced.write(piece, taken)) {
        hold(read, events, end);
        return;
      }
      at = end;
    }
    written(last);
  }

  private void hold(EncodedData read, Buffer events, int end) {
    if (over || end == events.length()) {
      return;
    }
    if (route.keep(read)) {
      holding = read;
    } else {
      end();
      PacedResponse.abort(request); // clients ignore an incomplete event
    }
  }

  private void taken(EncodedData read, Buffer events, int end) {
    letGo();
    if (!over) {
      write(read, events, end);
    }
  }

  private void letGo() {
    if (holding != null) {
      route.letGo(holding);
      holding = null;
    }
  }

  private void written(EncodedData.End read) {
    if (over) {
      return;
    }
    if (read.closed() || route.stopped() || timeIsUp) {
      finish();
    } else {
      goOn(read);
    }
  }

  private void goOn(EncodedData.End read) {
    if (over) {
      return;
    }
    if (!read.upToDate()) {
      route.loop().later(this::readOn); // others have their turn in between
      return;
    }
    waiting = route.tails().park(read.head(), read.next(), this);
    if (waiting == null) {
      finish();
    }
  }

  private void readOn() {
    if (!over) {
      read();
    }
  }

  @Override
  public void failed(Throwable failure) {
    if (over) {
      return;
    }
    if (response.headWritten()) {
      finish();
    } else {
      end();
      CallFailures.send(request, failure);
    }
  }

  @Override
  public void stop() {
    if (response.headWritten()) {
      finish();
    }
  }

  /** Sends a long message to its end first, or its reader would never get beyond it. */
  private void timeIsUp() {
    timeIsUp = true;
    if (holding == null) {
      finish();
    }
  }

  /** Ends the answer; the client comes back and reads on from the last control event. */
  private void finish() {
    if (!over) {
      end();
      response.end();
    }
  }

  @Override
  public void hungUp() {
    end();
  }

  private void end() {
    over = true;
    letGo();
    waiting = ReadRoute.cancel(waiting);
    route.vertx().cancelTimer(timer);
    route.ended(this);
  }
}
