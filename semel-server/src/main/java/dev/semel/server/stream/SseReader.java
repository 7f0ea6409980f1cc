package dev.semel.server.stream;

import dev.semel.server.http.Names;
import dev.semel.stream.Answer;
import dev.semel.stream.Offset;
import dev.semel.stream.ReadFrom;
import dev.semel.stream.StreamPath;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A reader that gets events as they come. It is read for only as fast as it takes them: what it has
 * not taken stays in the stream, not in memory.
 */
final class SseReader implements ReadRoute.LiveReader, Tails.Reader {
  private static final long NO_TIMER = -1;
  private static final long NO_STREAM = -1;
  private static final CharSequence EVENT_STREAM = Names.name("text/event-stream");
  private static final CharSequence NO_CACHE = Names.name("no-cache");
  private static final CharSequence BASE64 = Names.name("base64");

  private final ReadRoute route;
  private final HttpServerRequest request;
  private final HttpServerResponse response;
  private final StreamPath path;
  private final long cursor;
  private ReadFrom from;
  private long incarnation = NO_STREAM;
  private @Nullable Runnable waiting;
  private long timer = NO_TIMER;
  private boolean over;

  SseReader(
      ReadRoute route, HttpServerRequest request, StreamPath path, ReadFrom from, long cursor) {
    this.route = route;
    this.request = request;
    this.response = request.response();
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
    timer = route.vertx().setTimer(route.serving().sseReconnect().toMillis(), t -> finish());
    read();
  }

  private void read() {
    route.read(path, from, this);
  }

  @Override
  public void ready(Answer.ToRead answer, Optional<Reading> reading) {
    waiting = null;
    if (over) {
      return;
    }
    if (reading.isEmpty() || anotherStream(reading.get())) {
      refuse(answer);
      return;
    }
    Reading read = reading.get().forEvents();
    open(read);
    write(read);
  }

  private boolean anotherStream(Reading read) {
    return incarnation != NO_STREAM && read.slice().head().incarnation() != incarnation;
  }

  /** Once events were sent nothing else can be: the client asks again and is told then. */
  private void refuse(Answer.ToRead answer) {
    if (response.headWritten()) {
      finish();
    } else {
      end();
      ReadReply.refused(answer).send(request);
    }
  }

  private void open(Reading read) {
    if (incarnation != NO_STREAM) {
      return;
    }
    incarnation = read.slice().head().incarnation();
    response
        .setChunked(true)
        .putHeader(Names.CONTENT_TYPE, EVENT_STREAM)
        .putHeader(Names.CACHE_CONTROL, NO_CACHE);
    if (!SseEvents.text(read.slice().head().config().type())) {
      response.putHeader(Names.STREAM_SSE_DATA_ENCODING, BASE64);
    }
  }

  private void write(Reading read) {
    response.write(route.reply().sent(read.events(Math.max(cursor, route.cursors().now()))));
    Offset next = read.next();
    from = new ReadFrom.At(next);
    if (read.closed() || route.stopped()) {
      finish();
    } else if (response.writeQueueFull()) {
      response.drainHandler(
          v -> {
            response.drainHandler(null);
            route.loop().later(() -> goOn(read)); // it is told in the middle of a write
          });
    } else {
      goOn(read);
    }
  }

  private void goOn(Reading read) {
    if (over) {
      return;
    }
    if (!read.upToDate()) {
      route.loop().later(this::readOn); // others have their turn in between
      return;
    }
    waiting = route.tails().park(read.slice().head(), read.next(), this);
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
      Failures.send(request, failure);
    }
  }

  @Override
  public void stop() {
    if (response.headWritten()) {
      finish();
    }
  }

  /** The client comes back and reads on from the last control event. */
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
    waiting = ReadRoute.cancel(waiting);
    route.vertx().cancelTimer(timer);
    route.ended(this);
  }
}
