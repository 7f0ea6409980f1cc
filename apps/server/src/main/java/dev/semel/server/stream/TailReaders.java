package dev.semel.server.stream;

import dev.semel.stream.Offset;
import dev.semel.stream.StreamPath;
import dev.semel.stream.spi.ReadFrom;
import dev.semel.stream.spi.StreamExpiry;
import dev.semel.stream.spi.StreamHead;
import dev.semel.stream.spi.StreamResult;
import dev.semel.stream.spi.Streams;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Readers of one event loop that wait at the end of a stream. Readers at the same place share one
 * wait: the engine wakes once, is read once, and its data is encoded once. While readers wait, a
 * stream that ends when idle does not end.
 */
final class TailReaders {
  private static final long MIN_TOUCH_MILLIS = 100;
  private static final long MAX_TOUCH_MILLIS = 60_000;
  private static final long NO_TIMER = -1;

  /** A waiting reader. Called once, on the event loop. */
  interface Reader {
    void ready(StreamResult.ToRead answer, Optional<EncodedData> reading);

    void failed(Throwable failure);
  }

  private record Place(StreamPath path, long incarnation, Offset beyond) {}

  private final Vertx vertx;
  private final Streams streams;
  private final HomeLoop loop;
  private final IntSupplier maxReadBytes;
  private final Map<Place, Tail> tails = new HashMap<>();

  /**
   * @param maxReadBytes limit of one read for readers that were woken
   */
  TailReaders(Vertx vertx, Streams streams, HomeLoop loop, IntSupplier maxReadBytes) {
    this.vertx = vertx;
    this.streams = streams;
    this.loop = loop;
    this.maxReadBytes = maxReadBytes;
  }

  /**
   * Waits with the others at that place.
   *
   * @return cancels the wait; null: too many wait already
   */
  @Nullable Runnable park(StreamHead head, Offset beyond, Reader reader) {
    Place place = new Place(head.path(), head.incarnation(), beyond);
    Tail tail = tails.get(place);
    if (tail == null) {
      tail = new Tail(place);
      if (!tail.begin(head.config().expiry())) {
        return null;
      }
      tails.put(place, tail);
    }
    tail.readers.add(reader);
    Tail joined = tail;
    return () -> joined.leave(reader);
  }

  private final class Tail {
    private final Place place;
    private final Set<Reader> readers = new LinkedHashSet<>();
    private Streams.@Nullable Waiting waiting;
    private long timer = NO_TIMER;
    private boolean woken;

    Tail(Place place) {
      this.place = place;
    }

    boolean begin(StreamExpiry expiry) {
      // Never wakes within this call, because its caller is not ready to be called back yet.
      Optional<Streams.Waiting> accepted =
          streams.await(place.path(), place.beyond(), () -> loop.later(this::wake));
      if (accepted.isEmpty()) {
        return false;
      }
      waiting = accepted.get();
      if (expiry instanceof StreamExpiry.Idle idle) {
        long third = Math.min(idle.seconds(), MAX_TOUCH_MILLIS) * 1000 / 3;
        timer =
            vertx.setPeriodic(Math.clamp(third, MIN_TOUCH_MILLIS, MAX_TOUCH_MILLIS), t -> touch());
      }
      return true;
    }

    private void touch() {
      EngineCalls.ask(loop, () -> streams.touch(place.path()), (touched, failure) -> {});
    }

    void leave(Reader reader) {
      if (readers.remove(reader) && readers.isEmpty() && !woken) {
        end();
        if (waiting != null) {
          waiting.cancel();
        }
      }
    }

    private void end() {
      tails.remove(place, this);
      if (timer != NO_TIMER) {
        vertx.cancelTimer(timer);
        timer = NO_TIMER;
      }
    }

    private void wake() {
      if (woken || readers.isEmpty()) {
        return;
      }
      woken = true;
      end();
      ReadFrom from = new ReadFrom.At(place.beyond());
      EngineCalls.ask(
          loop,
          () -> streams.read(place.path(), from, maxReadBytes.getAsInt()),
          (a, e) -> deliver(a, e));
    }

    private void deliver(StreamResult.@Nullable ToRead answer, @Nullable Throwable failure) {
      List<Reader> all = new ArrayList<>(readers);
      readers.clear();
      if (answer == null || failure != null) {
        Throwable why = failure == null ? new IllegalStateException("no answer") : failure;
        all.forEach(reader -> reader.failed(why));
        return;
      }
      StreamResult.ToRead same = sameStream(answer);
      Optional<EncodedData> reading = EncodedData.ofData(same);
      all.forEach(reader -> reader.ready(same, reading));
    }

    /** Offsets of a deleted stream mean nothing in the stream that took its path. */
    private StreamResult.ToRead sameStream(StreamResult.ToRead answer) {
      return answer instanceof StreamResult.Data d
              && d.slice().head().incarnation() != place.incarnation()
          ? new StreamResult.Missing()
          : answer;
    }
  }
}
