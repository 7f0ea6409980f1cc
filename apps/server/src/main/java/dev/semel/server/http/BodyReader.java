package dev.semel.server.http;

import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import java.time.Duration;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Takes in whole bodies: each within its limit, counted in the budget as it comes, or not at all.
 * How slowly one may come is what {@link BodyRates} decides. Safe for all loops; each body on that
 * of its request.
 */
public final class BodyReader {
  private static final byte[] NONE = new byte[0];

  /** How a caller is told that its body is not taken. */
  public interface Refusals {
    /** It has more bytes than it may. */
    void tooLarge(HttpServerRequest request, int max);

    /** The budget has no room for it. */
    void noRoom(HttpServerRequest request);

    /** It did not come in time. */
    default void tooLate(HttpServerRequest request) {}

    /** It is not what its headers say, or its caller left in the middle of it. */
    default void broken(HttpServerRequest request) {}
  }

  private final Vertx vertx;
  private final MemoryBudget budget;
  private final Refusals refusals;
  private final boolean countsAll;
  private final long timeMillis;

  private BodyReader(
      Vertx vertx, MemoryBudget budget, Refusals refusals, boolean countsAll, long timeMillis) {
    this.vertx = vertx;
    this.budget = budget;
    this.refusals = refusals;
    this.countsAll = countsAll;
    this.timeMillis = timeMillis;
  }

  /**
   * For bodies that are done with soon: one that comes in a single piece, as most do, is neither
   * counted nor copied together.
   */
  public static BodyReader ofShortUse(Vertx vertx, MemoryBudget budget, Refusals refusals) {
    return new BodyReader(vertx, budget, refusals, false, 0);
  }

  /** For bodies that may be held for long: all of them count. */
  public static BodyReader ofLongUse(Vertx vertx, MemoryBudget budget, Refusals refusals) {
    return new BodyReader(vertx, budget, refusals, true, 0);
  }

  /** The same, but each body must be there within this time. */
  public BodyReader within(Duration time) {
    return new BodyReader(vertx, budget, refusals, countsAll, time.toMillis());
  }

  /**
   * Calls back once, with everything, or never: then the caller was told why, or hung up.
   *
   * @param max most bytes
   * @param whole runs its second argument when it needs the body no more, once
   */
  public void read(HttpServerRequest request, int max, BiConsumer<byte[], Runnable> whole) {
    long length = HeaderFields.length(request.headers());
    if (length > max) {
      refusals.tooLarge(request, max);
      return;
    }
    Incoming incoming = new Incoming(request, max, length, whole);
    request.handler(incoming);
    request.endHandler(v -> incoming.end());
    request.exceptionHandler(e -> incoming.broken());
    if (request.headers().contains(HeaderNames.EXPECT)) {
      request.response().writeContinue();
    }
  }

  /** One body on its way. */
  private final class Incoming implements Handler<Buffer> {
    private final HttpServerRequest request;
    private final int max;
    private final long expected;
    private final BiConsumer<byte[], Runnable> whole;
    private final long timer;
    private @Nullable Buffer first;
    private @Nullable BodyBlocks all;
    private boolean over;

    /**
     * @param expected how long it is; negative: its end tells
     */
    Incoming(
        HttpServerRequest request, int max, long expected, BiConsumer<byte[], Runnable> whole) {
      this.request = request;
      this.max = max;
      this.expected = expected;
      this.whole = whole;
      this.timer = timeMillis == 0 ? -1 : vertx.setTimer(timeMillis, t -> late());
    }

    @Override
    public void handle(Buffer piece) {
      if (over) {
        return;
      }
      if (all == null && piece.length() == expected && !countsAll) {
        first = piece;
        return;
      }
      BodyBlocks sum = all;
      if (sum == null) {
        sum = new BodyBlocks(budget, expected < 0 ? max : expected);
        all = sum;
      }
      if (sum.length() + (long) piece.length() > max) {
        drop();
        refusals.tooLarge(request, max);
      } else if (!sum.add(piece)) {
        drop();
        refusals.noRoom(request);
      }
    }

    void end() {
      if (over) {
        return;
      }
      over = true;
      stopTimer();
      BodyBlocks sum = all;
      if (sum != null) {
        whole.accept(sum.bytes(), sum::release);
      } else {
        whole.accept(first == null ? NONE : first.getBytes(), () -> {});
      }
    }

    void broken() {
      if (!over) {
        drop();
        refusals.broken(request);
      }
    }

    private void late() {
      if (!over) {
        drop();
        refusals.tooLate(request);
      }
    }

    /** Not all of it will come, or is wanted. */
    private void drop() {
      over = true;
      stopTimer();
      first = null;
      BodyBlocks sum = all;
      if (sum != null) {
        sum.release();
        all = null;
      }
    }

    private void stopTimer() {
      if (timer >= 0) {
        vertx.cancelTimer(timer);
      }
    }
  }
}
