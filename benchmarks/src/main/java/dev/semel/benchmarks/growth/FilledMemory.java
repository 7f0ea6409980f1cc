package dev.semel.benchmarks.growth;

import dev.semel.event.SemelListener;
import dev.semel.idempotency.Idempotency;
import dev.semel.idempotency.MemoryStore;
import dev.semel.idempotency.spi.Store;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryType;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;

/** A store in memory, filled by executions, because no other way is faster. */
final class FilledMemory implements FilledStore {
  private static final int MAX_RECORDS = 30_000_000;
  private static final int FILLERS = 2;
  private static final int COLLECTIONS = 3;

  private final long before = used();
  private final MemoryStore store = new MemoryStore(InstantSource.system(), MAX_RECORDS);

  @Override
  public String name() {
    return "memory";
  }

  @Override
  public void fill(long first, long end) throws Exception {
    try (Idempotency idempotency = new Idempotency(store, SemelListener.NONE)) {
      List<Thread> threads = new ArrayList<>();
      for (int t = 0; t < FILLERS; t++) {
        long from = first + t;
        threads.add(
            Thread.ofPlatform()
                .start(
                    () -> {
                      for (long n = from; n < end; n += FILLERS) {
                        FilledStore.execute(idempotency, FilledStore.key(FilledStore.id(n)));
                      }
                    }));
      }
      for (Thread thread : threads) {
        thread.join();
      }
    }
  }

  @Override
  public Store store() {
    return store;
  }

  /** The used heap after a collection. */
  @Override
  public long bytes() {
    return used() - before;
  }

  /** Short, because a second's new records would outnumber the filled ones. */
  @Override
  public Duration time() {
    return Duration.ofMillis(300);
  }

  /** The heap after a collection, because threads reserve large pieces before they use them. */
  static long used() {
    for (int i = 0; i < COLLECTIONS; i++) {
      System.gc();
    }
    return ManagementFactory.getMemoryPoolMXBeans().stream()
        .filter(pool -> pool.getType() == MemoryType.HEAP)
        .mapToLong(pool -> pool.getCollectionUsage().getUsed())
        .sum();
  }

  @Override
  public void close() {
    store.close();
  }
}
