package dev.semel.server.http;

import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import java.time.Duration;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Reads whole bodies, each within its limit and counted in the budget while it comes. {@link
 * BodyRates} ends slow ones. Safe for all event loops; each body stays on the loop of its request.
 */
public final class BodyReader {
  private static final byte[] NONE = new byte[0];

  /** Answers requests whose body is refused. */
  public interface Refusals {
    /** The body is longer than its limit. */
    void tooLarge(HttpServerRequest request, int max);

    /** The budget has no room for the body. */
    void noRoom(HttpServerRequest request);

    /** The body did not come in time. */
    default void tooLate(HttpServerRequest request) {}

    /** The body contradicts its headers, or the caller left in the middle of it. */
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
   * For bodies that are released soon: one that comes in a single piece, as most do, is neither
   * counted nor put together.
   */
  public static BodyReader ofShortUse(Vertx vertx, MemoryBudget budget, Refusals refusals) {
    return new BodyReader(vertx, budget, refusals, false, 0);
  }

  /** For bodies that may be held for long: all of them count. */
  public static BodyReader ofLongUse(Vertx vertx, MemoryBudget budget, Refusals refusals) {
    return new BodyReader(vertx, budget, refusals, true, 0);
  }

  /** Returns a reader that also limits the time of each body. */
  public BodyReader within(Duration time) {
    return new BodyReader(vertx, budget, refusals, countsAll, time.toMillis());
  }

  /**
   * Calls back once with the whole body, or never: then the request was refused, or its caller hung
   * up.
   *
   * @param max limit in bytes
   * @param whole must run its second argument once, when it does not need the body any more
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

  /** One body under way. */
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
     * @param expected the declared length; negative: unknown
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

    /** Stops reading, and releases what was read. */
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
