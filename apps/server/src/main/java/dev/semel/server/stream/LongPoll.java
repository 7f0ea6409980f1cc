package dev.semel.server.stream;

import dev.semel.stream.StreamPath;
import dev.semel.stream.spi.ReadFrom;
import dev.semel.stream.spi.StreamResult;
import io.vertx.core.http.HttpServerRequest;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A reader that waits for one answer. */
final class LongPoll implements ReadRoute.LiveReader, TailReaders.Reader {
  private static final long NO_TIMER = -1;

  private final ReadRoute route;
  private final HttpServerRequest request;
  private final StreamPath path;
  private final ReadFrom from;
  private final long cursor;
  private @Nullable EncodedData last;
  private @Nullable Runnable waiting;
  private long timer = NO_TIMER;
  private boolean over;

  LongPoll(
      ReadRoute route, HttpServerRequest request, StreamPath path, ReadFrom from, long cursor) {
    this.route = route;
    this.request = request;
    this.path = path;
    this.from = from;
    this.cursor = cursor;
  }

  @Override
  public HttpServerRequest request() {
    return request;
  }

  @Override
  public void begin() {
    route.read(path, from, this);
  }

  @Override
  public void ready(StreamResult.ToRead answer, Optional<EncodedData> reading) {
    waiting = null;
    if (over) {
      return;
    }
    if (reading.isEmpty()) {
      end();
      ReadReply.refused(answer).send(request);
      return;
    }
    EncodedData read = reading.get();
    last = read;
    if (!read.empty()) {
      end();
      route.reply().sendLive(request, read, route.cursors().after(cursor));
    } else if (read.closed() || route.stopped()) {
      nothing(read);
    } else {
      park(read);
    }
  }

  private void park(EncodedData read) {
    waiting = route.tails().park(read.slice().head(), read.next(), this);
    if (waiting == null) {
      end();
      ReadRoute.tooMany(request);
    } else if (timer == NO_TIMER) {
      timer = route.vertx().setTimer(route.serving().longPoll().toMillis(), t -> nothing(read));
    }
  }

  private void nothing(EncodedData read) {
    if (!over) {
      end();
      ReadReply.sendNothing(request, read, route.cursors().after(cursor));
    }
  }

  @Override
  public void failed(Throwable failure) {
    if (!over) {
      end();
      CallFailures.send(request, failure);
    }
  }

  @Override
  public void stop() {
    if (last != null) {
      nothing(last);
    }
  }

  @Override
  public void hungUp() {
    end();
  }

  private void end() {
    over = true;
    waiting = ReadRoute.cancel(waiting);
    if (timer != NO_TIMER) {
      route.vertx().cancelTimer(timer);
    }
    route.ended(this);
  }
}
