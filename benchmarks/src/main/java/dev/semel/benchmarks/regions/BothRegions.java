package dev.semel.benchmarks.regions;

import dev.semel.Key;
import dev.semel.event.SemelListener;
import dev.semel.idempotency.Codec;
import dev.semel.idempotency.ExecutionRequest;
import dev.semel.idempotency.Idempotency;
import dev.semel.idempotency.spi.KeyEntry;
import dev.semel.idempotency.spi.RecordImport;
import dev.semel.redis.RedisStore;
import dev.semel.testservices.RedisService;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Both regions accept requests, and every record is copied to the other region some time after its
 * change. The same key arrives in A and, a little later, in B.
 */
final class BothRegions implements AutoCloseable {
  private static final int KEYS = 400;
  private static final long PACE_NANOS = 1_000_000;

  private final RedisService a = RedisService.start("--appendonly", "no");
  private final RedisService b = RedisService.start("--appendonly", "no");
  private final RedisStore storeA = RedisStore.open(a.url());
  private final RedisStore storeB = RedisStore.open(b.url());
  private final Idempotency inA = new Idempotency(storeA, SemelListener.NONE);
  private final Idempotency inB = new Idempotency(storeB, SemelListener.NONE);
  private int run;

  /**
   * The result of a run.
   *
   * @param differ copies that met another record of the same key
   */
  record Seen(int keys, int twice, int differ) {}

  Seen run(Duration delay, Duration gap) throws InterruptedException {
    Effects effects = new Effects();
    AtomicInteger differ = new AtomicInteger();
    String prefix = "r" + run++ + "-";
    List<Thread> threads = new ArrayList<>();
    for (int n = 0; n < KEYS; n++) {
      String id = prefix + n;
      threads.add(
          Thread.ofVirtual().start(() -> ask(inA, storeA, storeB, id, effects, delay, differ)));
      threads.add(
          Thread.ofVirtual()
              .start(
                  () -> {
                    pause(gap);
                    ask(inB, storeB, storeA, id, effects, delay, differ);
                  }));
      TimeUnit.NANOSECONDS.sleep(PACE_NANOS);
    }
    for (Thread thread : threads) {
      thread.join();
    }
    return new Seen(KEYS, effects.twice(), differ.get());
  }

  private static void ask(
      Idempotency in,
      RedisStore here,
      RedisStore there,
      String id,
      Effects effects,
      Duration delay,
      AtomicInteger differ) {
    Key key = Key.of("payment", id);
    try {
      boolean[] ran = {false};
      Thread[] copy = new Thread[1];
      in.execute(
          ExecutionRequest.of(key, Codec.utf8()),
          execution -> {
            ran[0] = true;
            copy[0] = copy(here, there, key, delay, differ);
            return effects.happen(id);
          });
      if (ran[0]) {
        copy(here, there, key, delay, differ).join();
        copy[0].join();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Copies the record's current state, with a delay. */
  private static Thread copy(
      RedisStore here, RedisStore there, Key key, Duration delay, AtomicInteger differ) {
    KeyEntry entry = new KeyEntry(key, here.idempotency().find(key).orElseThrow());
    return Thread.ofVirtual()
        .start(
            () -> {
              pause(delay);
              if (there.catalog().adopt(entry) == RecordImport.DIFFERS) {
                differ.incrementAndGet();
              }
            });
  }

  private static void pause(Duration time) {
    try {
      TimeUnit.NANOSECONDS.sleep(time.toNanos());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    inA.close();
    inB.close();
    storeA.close();
    storeB.close();
    a.close();
    b.close();
  }
}
