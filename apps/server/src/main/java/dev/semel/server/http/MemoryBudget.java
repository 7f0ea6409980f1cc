package dev.semel.server.http;

import com.sun.management.HotSpotDiagnosticMXBean;
import dev.semel.InvalidInput;
import dev.semel.event.Event;
import dev.semel.event.ProcessEvents;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerRequest;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

/**
 * Limit of the bytes that a server holds for its callers, in all event loops together: bodies
 * received, and answers and events that callers have not taken yet. Everything that is held counts
 * here, so that no number of callers can fill the memory.
 *
 * <p>At the limit, new requests are refused with 503. Before that, pieces become smaller ({@link
 * #pieceBytes}). From three quarters of the limit on, the budget cuts the callers that took nothing
 * for the longest time: at least {@link #STALLED}, or {@link #STALLED_WHEN_FULL} at the limit.
 */
public final class MemoryBudget {
  /** How long a caller must have taken nothing before the budget may cut it. */
  public static final Duration STALLED = Duration.ofSeconds(10);

  /** How long a caller must have taken nothing at the limit. */
  public static final Duration STALLED_WHEN_FULL = Duration.ofSeconds(1);

  /** Limit of bytes written to a connection before it has taken earlier ones. */
  public static final int PIECE_BYTES = 64 << 10;

  /** Limit of bytes written to a connection while much is held. */
  public static final int SMALL_PIECE_BYTES = 16 << 10;

  /** The limit's name for callers and operators. */
  public static final String NAME = "held-bytes";

  /**
   * The default is this part of the heap, or of the direct memory for socket buffers if that is
   * less.
   */
  private static final int SHARE = 3;

  /** Least default, because one whole body of the largest kind must fit. */
  private static final long LEAST_BYTES = 16L << 20;

  private static final Duration RELIEF_PAUSE = Duration.ofSeconds(1);
  private static final Duration LOG_PAUSE = Duration.ofMinutes(1);
  private static final System.Logger LOG = System.getLogger("dev.semel.server");

  private final long max;
  private final LongSupplier nanos;
  private final AtomicLong held = new AtomicLong();
  private final LongAdder refused = new LongAdder();
  private final LongAdder cut = new LongAdder();
  private final Set<PacedResponse> waiting = ConcurrentHashMap.newKeySet();
  private final AtomicLong relieved;
  private final AtomicLong logged;

  /**
   * @param max the limit, in bytes
   */
  public MemoryBudget(long max) {
    this(max, System::nanoTime);
  }

  MemoryBudget(long max, LongSupplier nanos) {
    if (max < 1) {
      throw new InvalidInput("a server must be able to hold something: give held-bytes at least 1");
    }
    this.max = max;
    this.nanos = nanos;
    this.relieved = new AtomicLong(nanos.getAsLong() - RELIEF_PAUSE.toNanos());
    this.logged = new AtomicLong(nanos.getAsLong() - LOG_PAUSE.toNanos());
  }

  /** A third of the heap, or of the direct memory if the JVM allows less of that. */
  public static long defaultBytes() {
    long heap = Runtime.getRuntime().maxMemory();
    long beside = directBytes();
    return Math.max(LEAST_BYTES, (beside > 0 ? Math.min(heap, beside) : heap) / SHARE);
  }

  /** 0: as much as the heap, or unknown. */
  private static long directBytes() {
    try {
      HotSpotDiagnosticMXBean machine =
          ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
      return machine == null
          ? 0
          : Long.parseLong(machine.getVMOption("MaxDirectMemorySize").getValue());
    } catch (IllegalArgumentException e) { // not HotSpot; its heap must do
      return 0;
    }
  }

  public long max() {
    return max;
  }

  public long held() {
    return held.get();
  }

  /** Number of requests that were refused for lack of room. */
  public long refused() {
    return refused.sum();
  }

  /** Number of callers that were cut because they took nothing. */
  public long cut() {
    return cut.sum();
  }

  /** Takes room for so many bytes; true: the caller must let them go. */
  public boolean take(long bytes) {
    if (held.addAndGet(bytes) <= max) {
      return true;
    }
    held.addAndGet(-bytes);
    relieve(STALLED_WHEN_FULL);
    return false;
  }

  /** Counts bytes that are held already, even beyond the limit; the caller must let them go. */
  public void add(long bytes) {
    held.addAndGet(bytes);
  }

  public void letGo(long bytes) {
    held.addAndGet(-bytes);
  }

  /** Whether there is no room for anything new. */
  public boolean full() {
    return held.get() >= max;
  }

  /** Whether much is held, so that everyone should take less at a time. */
  public boolean tight() {
    return held.get() > max / 4;
  }

  /** Bytes to write at once to a connection that may be slow. */
  public int pieceBytes() {
    return tight() ? SMALL_PIECE_BYTES : PIECE_BYTES;
  }

  /** Answers that there is no room, and when to try again. */
  public void refuse(HttpServerRequest request) {
    if (!request.response().ended() && !request.response().closed()) {
      request.response().putHeader(HeaderNames.RETRY_AFTER, "1");
    }
    refusal().send(request);
  }

  /** The refusal, to be sent with Retry-After; counts it. */
  public ProblemDocument refusal() {
    refused.increment();
    return ProblemDocument.of(
        503,
        NAME,
        "the limit of %d bytes held for callers (%s) is reached: nothing happened, try again later"
            .formatted(max, NAME));
  }

  /** The budget has no room for this request. */
  public static final class Exceeded extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private final transient ProblemDocument problem;

    private Exceeded(ProblemDocument problem) {
      super("no more bytes can be held", null, false, false);
      this.problem = problem;
    }

    public ProblemDocument problem() {
      return problem;
    }
  }

  /** The refusal as an exception, for code that answers failures; counts it. */
  public Exceeded exceeded() {
    return new Exceeded(refusal());
  }

  /** Checks for stalled callers once a second, as long as the server lives. */
  public void watch(Vertx vertx) {
    vertx.setPeriodic(RELIEF_PAUSE.toMillis(), t -> relieve());
  }

  void waits(PacedResponse response) {
    waiting.add(response);
  }

  void goesOn(PacedResponse response) {
    waiting.remove(response);
  }

  long nanos() {
    return nanos.getAsLong();
  }

  void relieve() {
    relieve(full() ? STALLED_WHEN_FULL : STALLED);
  }

  /** Cuts the longest stalled callers, at most once a second, until half of the limit is free. */
  private void relieve(Duration stalled) {
    if (held.get() <= max / 4 * 3) {
      return;
    }
    long now = nanos.getAsLong();
    long last = relieved.get();
    if (now - last < RELIEF_PAUSE.toNanos() || !relieved.compareAndSet(last, now)) {
      return;
    }
    List<PacedResponse> slowest =
        waiting.stream()
            .filter(each -> now - each.since() >= stalled.toNanos())
            .sorted(Comparator.comparingLong(PacedResponse::since))
            .toList();
    long before = held.get();
    long tooMuch = before - max / 2;
    int count = 0;
    for (PacedResponse each : slowest) {
      if (tooMuch <= 0) {
        break;
      }
      tooMuch -= each.bytes();
      each.cut();
      count++;
    }
    cut.add(count);
    if (count > 0) {
      ProcessEvents.emit(new Event.CallersCut(count, before, max));
    }
    log(now, count, stalled);
  }

  private void log(long now, int count, Duration stalled) {
    long last = logged.get();
    if (now - last >= LOG_PAUSE.toNanos() && logged.compareAndSet(last, now)) {
      LOG.log(
          System.Logger.Level.WARNING,
          "{0} of {1} bytes ({2}) are held for callers: {3} were cut just now that took nothing for"
              + " {4} s, {5} since the start; {6} requests were refused since the start",
          held.get(),
          max,
          NAME,
          count,
          stalled.toSeconds(),
          cut.sum(),
          refused.sum());
    }
  }
}
