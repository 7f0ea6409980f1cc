package dev.semel.benchmarks;

import dev.semel.Key;
import dev.semel.event.EventListener;
import dev.semel.idempotency.Codec;
import dev.semel.idempotency.Fingerprint;
import dev.semel.idempotency.Idempotency;
import dev.semel.idempotency.MemoryStore;
import dev.semel.idempotency.Request;
import java.io.PrintStream;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** How much the executor itself costs: nothing here waits for anything. */
final class MemoryBenchmark {
  private static final int PER_ROUND = 2_000_000;
  private static final int ROUNDS = 5;
  private static final double GOAL = 1_000_000;

  private MemoryBenchmark() {}

  static void run(PrintStream out) throws InterruptedException {
    List<Double> rates = new ArrayList<>();
    for (int i = 0; i <= ROUNDS; i++) {
      double rate = round();
      if (i > 0) { // the first one only warms up
        rates.add(rate);
      }
    }
    double median = rates.stream().sorted().toList().get(ROUNDS / 2);
    out.printf(
        Locale.ROOT,
        "%-44s %,10.0f/s   goal %,.0f/s   %s%n",
        "memory, first execution, 2 threads",
        median,
        GOAL,
        median >= GOAL ? "met" : "MISSED");
  }

  private static double round() throws InterruptedException {
    MemoryStore store = new MemoryStore(InstantSource.system(), PER_ROUND * 2);
    Fingerprint fingerprint = Fingerprint.of("10 EUR");
    int threads = Runtime.getRuntime().availableProcessors();
    try (Idempotency idempotency = new Idempotency(store, EventListener.NONE)) {
      List<Thread> workers = new ArrayList<>();
      long started = System.nanoTime();
      for (int t = 0; t < threads; t++) {
        int me = t;
        workers.add(
            Thread.ofPlatform()
                .start(
                    () -> {
                      for (int i = me; i < PER_ROUND; i += threads) {
                        idempotency.execute(
                            Request.of(Key.of("payment", "order-" + i), Codec.utf8())
                                .withFingerprint(fingerprint),
                            execution -> "receipt");
                      }
                    }));
      }
      for (Thread worker : workers) {
        worker.join();
      }
      return PER_ROUND * 1e9 / (System.nanoTime() - started);
    }
  }
}
