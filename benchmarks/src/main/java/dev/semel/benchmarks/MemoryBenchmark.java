package dev.semel.benchmarks;

import dev.semel.Key;
import dev.semel.event.SemelListener;
import dev.semel.idempotency.Codec;
import dev.semel.idempotency.ExecutionRequest;
import dev.semel.idempotency.Fingerprint;
import dev.semel.idempotency.Idempotency;
import dev.semel.idempotency.MemoryStore;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;

/** Measures the executor's own cost, without waiting for anything. */
final class MemoryBenchmark {
  private static final int PER_ROUND = 2_000_000;
  private static final int ROUNDS = 5;
  private static final double GOAL = 1_000_000;

  private MemoryBenchmark() {}

  static void run(Findings out) throws InterruptedException {
    List<Double> rates = new ArrayList<>();
    int rounds = out.pace().rounds(ROUNDS);
    for (int i = 0; i <= rounds; i++) {
      double rate = round(out.pace().count(PER_ROUND));
      if (i > 0) { // the first one only warms up
        rates.add(rate);
      }
    }
    out.add(Figure.alone("memory, first execution, 2 threads", Rounds.median(rates), "/s", GOAL));
  }

  private static double round(int executions) throws InterruptedException {
    MemoryStore store = new MemoryStore(InstantSource.system(), executions * 2);
    Fingerprint fingerprint = Fingerprint.of("10 EUR");
    int threads = Runtime.getRuntime().availableProcessors();
    try (Idempotency idempotency = new Idempotency(store, SemelListener.NONE)) {
      List<Thread> workers = new ArrayList<>();
      long started = System.nanoTime();
      for (int t = 0; t < threads; t++) {
        int me = t;
        workers.add(
            Thread.ofPlatform()
                .start(
                    () -> {
                      for (int i = me; i < executions; i += threads) {
                        idempotency.execute(
                            ExecutionRequest.of(Key.of("payment", "order-" + i), Codec.utf8())
                                .withFingerprint(fingerprint),
                            execution -> "receipt");
                      }
                    }));
      }
      for (Thread worker : workers) {
        worker.join();
      }
      return executions * 1e9 / (System.nanoTime() - started);
    }
  }
}
