package dev.semel.server.admin;

import dev.semel.json.Json;
import dev.semel.server.http.HeaderFields;
import dev.semel.server.http.HeaderNames;
import dev.semel.server.http.ProblemDocument;
import io.vertx.core.http.HttpServerResponse;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A caller that follows live events. It is written to only as fast as it reads; an event {@code
 * skipped} reports how many it missed. {@link #wake} and {@link #stop} are for any thread;
 * everything is written on the connection's event loop.
 */
final class LiveReader {
  private static final CharSequence LAST_EVENT_ID = HeaderNames.name("Last-Event-ID");
  private static final CharSequence EVENT_STREAM = HeaderNames.name("text/event-stream");

  /** Shorter than the time after which anything on the way closes a silent connection. */
  private static final long HEARTBEAT_MILLIS = 15_000;

  /** Limit of events that one write takes from the feed. */
  private static final int AT_ONCE = 100;

  /** Bytes of an event beside its text. */
  private static final int EVENT_BYTES = 100;

  private final LiveFeed feed;
  private final AdminExchange exchange;
  private final HttpServerResponse response;
  private final AtomicBoolean called = new AtomicBoolean();
  private final Deque<LiveFeed.Live> backlog = new ArrayDeque<>();
  private final Map<String, Long> caughtUp = new HashMap<>();

  /** Bytes of the backlog that count in the budget. */
  private final AtomicLong held = new AtomicLong();

  private long place;
  private long heartbeat = -1;
  private boolean open;

  private LiveReader(LiveFeed feed, AdminExchange exchange) {
    this.feed = feed;
    this.exchange = exchange;
    this.response = exchange.response();
  }

  static void begin(LiveFeed feed, AdminExchange exchange) {
    LiveReader reader = new LiveReader(feed, exchange);
    Optional<String> last = HeaderFields.get(exchange.request().headers(), LAST_EVENT_ID);
    if (!feed.enter(reader)) {
      AdminRefusals.send(
          exchange.request(),
          ProblemDocument.of(
              503,
              "too-many-readers",
              "%d follow the events already".formatted(LiveFeed.MAX_READERS)));
      return;
    }
    reader.response.closeHandler(v -> reader.end());
    exchange.beside(() -> reader.prepare(last));
  }

  /**
   * Takes the position before it catches up: events in between are then read twice rather than
   * never.
   */
  private void prepare(Optional<String> last) {
    try {
      long from = feed.now();
      LiveFeed.CaughtUp missed =
          last.map(feed::since).orElse(new LiveFeed.CaughtUp(java.util.List.of(), true));
      long bytes = 0;
      for (LiveFeed.Live each : missed.events()) {
        bytes += EVENT_BYTES + each.json().length();
      }
      if (!exchange.budget().take(bytes)) {
        feed.leave(this);
        exchange.onLoop(() -> exchange.budget().refuse(exchange.request()));
        return;
      }
      held.set(bytes);
      exchange.onLoop(() -> open(from, missed));
    } catch (RuntimeException e) {
      feed.leave(this);
      throw e;
    }
  }

  private void open(long from, LiveFeed.CaughtUp missed) {
    if (response.closed()) {
      end();
      return;
    }
    place = from;
    backlog.addAll(missed.events());
    LiveFeed.highest(missed.events(), caughtUp);
    response
        .setChunked(true)
        .putHeader(HeaderNames.CONTENT_TYPE, EVENT_STREAM)
        .putHeader(HeaderNames.CACHE_CONTROL, HeaderNames.NO_STORE);
    response.write(": live\n\n");
    if (feed.closed()) { // stop() came before the start
      response.end();
      end();
      return;
    }
    open = true;
    heartbeat = exchange.loop().owner().setPeriodic(HEARTBEAT_MILLIS, t -> beat());
    if (!missed.whole()) {
      skipped(-1);
    }
    pump();
  }

  private void beat() {
    if (open && !response.writeQueueFull()) {
      response.write(": \n\n");
    }
  }

  /** Reports new events; from any thread. */
  void wake() {
    if (called.compareAndSet(false, true)) {
      exchange.onLoop(
          () -> {
            called.set(false);
            pump();
          });
    }
  }

  private void pump() {
    while (open && !response.closed()) {
      if (response.writeQueueFull()) {
        // Deferred: Vert.x calls this in the middle of a write, and a nested write would tear both.
        response.drainHandler(v -> wake());
        return;
      }
      LiveFeed.Live waiting = backlog.poll();
      if (backlog.isEmpty()) {
        letGo();
      }
      if (waiting != null) {
        response.write(event(waiting));
        continue;
      }
      LiveFeed.Batch batch = feed.from(place, AT_ONCE);
      place = batch.next();
      if (batch.skipped() > 0) {
        skipped(batch.skipped());
      }
      if (batch.events().isEmpty()) {
        return;
      }
      StringBuilder text = new StringBuilder();
      for (LiveFeed.Live each : batch.events()) {
        if (each.number() > caughtUp.getOrDefault(each.writer(), 0L)) {
          text.append(event(each));
        }
      }
      if (!text.isEmpty()) {
        response.write(text.toString());
      }
    }
  }

  /** JSON contains no line breaks, so no text can forge an event. */
  private static String event(LiveFeed.Live each) {
    return "id: " + each.id() + "\ndata: " + each.json() + "\n\n";
  }

  /**
   * @param count negative: unknown
   */
  private void skipped(long count) {
    String data =
        count < 0
            ? Json.object().withNull("count").write()
            : Json.object().with("count", count).write();
    response.write("event: skipped\ndata: " + data + "\n\n");
  }

  /** Ends the answer because the server stops; from any thread. */
  void stop() {
    exchange.onLoop(
        () -> {
          if (open && !response.ended() && !response.closed()) {
            response.end();
          }
          end();
        });
  }

  private void letGo() {
    exchange.budget().letGo(held.getAndSet(0));
  }

  private void end() {
    open = false;
    backlog.clear();
    letGo();
    exchange.loop().owner().cancelTimer(heartbeat);
    feed.leave(this);
  }
}
