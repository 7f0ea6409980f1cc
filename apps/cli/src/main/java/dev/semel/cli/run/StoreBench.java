package dev.semel.cli.run;

import dev.semel.Key;
import dev.semel.StoreException;
import dev.semel.event.SemelListener;
import dev.semel.idempotency.Codec;
import dev.semel.idempotency.ExecutionPolicy;
import dev.semel.idempotency.ExecutionRequest;
import dev.semel.idempotency.Idempotency;
import dev.semel.idempotency.Outcome;
import dev.semel.idempotency.spi.IdempotencyStore;
import dev.semel.idempotency.spi.Store;
import dev.semel.internal.Ids;
import dev.semel.loop.internal.Loop;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A short load on a store. Its kinds take turns, so that other load on the machine affects all of
 * them. It writes keys of a separate tenant only, and deletes them; those of a killed run expire.
 */
final class StoreBench {
  static final String TENANT = "semel-bench";

  /** Limit of written keys, because all are deleted again. */
  static final int MAX_KEYS = 200_000;

  private static final int ROUNDS = 3;

  /** Keys of an interrupted run expire after this time. */
  private static final ExecutionPolicy POLICY =
      ExecutionPolicy.defaults().withRetention(Duration.ofMinutes(30));

  /** Kind of call. */
  enum Kind {
    /** A lookup of a missing key: the cost of any call. */
    BARE,
    /** A new key: claim, no work at all, completion. */
    FIRST,
    /** A duplicate of a completed key. */
    REPLAY
  }

  /**
   * Results of one kind.
   *
   * @param time that it had, over all rounds
   */
  record Measure(Kind kind, LatencyHistogram latencies, Duration time) {
    double perSecond() {
      return time.isZero() ? 0 : latencies.count() * 1e9 / time.toNanos();
    }
  }

  private final IdempotencyStore records;
  private final Store store;
  private final Duration time;
  private final List<Worker> workers = new ArrayList<>();
  private final Map<Kind, LatencyHistogram> latencies = new EnumMap<>(Kind.class);
  private final Map<Kind, Duration> times = new EnumMap<>(Kind.class);
  private final String run = Ids.uuid7().toString();

  StoreBench(Store store, int threads, Duration time) {
    this.records = store.idempotency();
    this.store = store;
    this.time = time;
    for (int i = 0; i < threads; i++) {
      workers.add(new Worker(i, MAX_KEYS / threads));
    }
    for (Kind kind : Kind.values()) {
      latencies.put(kind, new LatencyHistogram());
      times.put(kind, Duration.ZERO);
    }
  }

  /** One thread's part of the load. */
  private final class Worker {
    private final int number;
    private final int limit;
    private int written;
    private int replayed;

    Worker(int number, int limit) {
      this.number = number;
      this.limit = limit;
    }

    private Key key(int n) {
      return Key.of(TENANT, "bench", "%s-%d-%d".formatted(run, number, n));
    }

    /** Makes one call; false: nothing more to do of this kind. */
    boolean once(Kind kind, Idempotency idempotency) throws Exception {
      switch (kind) {
        case BARE -> {
          return records.find(key(-1)).isEmpty();
        }
        case FIRST -> {
          if (written == limit) {
            return false;
          }
          written++; // first, because the key may exist even if the call fails
          require(ask(idempotency, key(written - 1)) instanceof Outcome.Executed);
        }
        case REPLAY -> {
          if (written == 0) {
            return false;
          }
          replayed = (replayed + 1) % written;
          require(ask(idempotency, key(replayed)) instanceof Outcome.Replayed);
        }
      }
      return true;
    }

    private static Outcome<String> ask(Idempotency idempotency, Key key) throws Exception {
      ExecutionRequest<String> request = ExecutionRequest.of(key, Codec.utf8()).withPolicy(POLICY);
      return idempotency.execute(request, execution -> "done");
    }

    private static void require(boolean asExpected) {
      if (!asExpected) {
        throw new IllegalStateException("a key of this run was not answered as it should be");
      }
    }
  }

  /** Runs the load, and leaves the store as it was. */
  List<Measure> run(Consumer<String> progress) {
    try (BenchStore around = new BenchStore(store);
        Idempotency idempotency = new Idempotency(around, SemelListener.NONE)) {
      Duration each = time.dividedBy((long) ROUNDS * Kind.values().length);
      for (int round = 1; round <= ROUNDS; round++) {
        for (Kind kind : Kind.values()) {
          progress.accept("round %d of %d: %s".formatted(round, ROUNDS, BenchView.word(kind)));
          turn(kind, idempotency, each);
        }
      }
    } finally {
      progress.accept("deleting %d keys".formatted(keys()));
      together(
          worker -> {
            for (int n = 0; n < worker.written; n++) {
              store.catalog().delete(worker.key(n));
            }
          });
    }
    List<Measure> measures = new ArrayList<>();
    latencies.forEach(
        (kind, taken) ->
            measures.add(new Measure(kind, taken, times.getOrDefault(kind, Duration.ZERO))));
    return measures;
  }

  /** Number of written keys. */
  long keys() {
    return workers.stream().mapToLong(worker -> worker.written).sum();
  }

  private void turn(Kind kind, Idempotency idempotency, Duration each) {
    long began = System.nanoTime();
    together(
        worker -> {
          LatencyHistogram own = new LatencyHistogram();
          long now = System.nanoTime();
          while (now - began < each.toNanos() && worker.once(kind, idempotency)) {
            long then = System.nanoTime();
            own.add(then - now);
            now = then;
          }
          synchronized (latencies) {
            latencies.computeIfAbsent(kind, k -> new LatencyHistogram()).add(own);
          }
        });
    times.merge(kind, Duration.ofNanos(System.nanoTime() - began), Duration::plus);
  }

  /** Work of one worker. */
  @FunctionalInterface
  private interface Part {
    void run(Worker worker) throws Exception;
  }

  private void together(Part part) {
    CountDownLatch left = new CountDownLatch(workers.size());
    AtomicReference<@Nullable Exception> failure = new AtomicReference<>();
    for (Worker worker : workers) {
      Loop.beside(
          "semel-bench-" + worker.number,
          () -> {
            try {
              part.run(worker);
            } catch (Exception e) {
              failure.compareAndSet(null, e);
            } finally {
              left.countDown();
            }
          });
    }
    try {
      left.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new StoreException("interrupted", e);
    }
    switch (failure.get()) {
      case null -> {}
      case RuntimeException e -> throw e;
      case Exception e -> throw new IllegalStateException(e);
    }
  }
}
