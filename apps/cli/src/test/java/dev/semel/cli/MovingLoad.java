package dev.semel.cli;

import dev.semel.Key;
import dev.semel.Token;
import dev.semel.idempotency.ClaimResult;
import dev.semel.idempotency.Fingerprint;
import dev.semel.idempotency.Payload;
import dev.semel.idempotency.StoredFailure;
import dev.semel.idempotency.TakeoverPolicy;
import dev.semel.idempotency.spi.ClaimRequest;
import dev.semel.idempotency.spi.ExecutionEnd;
import dev.semel.idempotency.spi.Store;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Applications that use a store while it is moved: writers ask for random keys, end them in every
 * possible way, and count the effects of each.
 */
public final class MovingLoad implements AutoCloseable {
  private static final int WRITERS = 3;
  private static final Duration LEASE = Duration.ofHours(1);
  private static final Duration RETENTION = Duration.ofHours(10);
  private static final int PATIENCE_SECONDS = 120;

  private final Store store;
  private final String tenant;
  private final int keys;
  private final Map<Key, Integer> effects;
  private final Map<Key, Token> held = new ConcurrentHashMap<>();
  private final AtomicLong steps = new AtomicLong();
  private final ExecutorService threads = Executors.newFixedThreadPool(WRITERS);
  private final List<Future<?>> running = new ArrayList<>();
  private volatile boolean stopping;

  private MovingLoad(Store store, String tenant, int keys, Map<Key, Integer> effects) {
    this.store = store;
    this.tenant = tenant;
    this.keys = keys;
    this.effects = effects;
  }

  public static MovingLoad start(
      Store store, String tenant, int keys, Map<Key, Integer> effects, long seed) {
    MovingLoad load = new MovingLoad(store, tenant, keys, effects);
    for (int w = 0; w < WRITERS; w++) {
      Random random = new Random(seed * WRITERS + w);
      load.running.add(load.threads.submit(() -> load.work(random)));
    }
    return load;
  }

  public static Payload response(Key key) {
    return new Payload("text/plain", ("done " + key.text()).getBytes(StandardCharsets.UTF_8));
  }

  public long steps() {
    return steps.get();
  }

  /** Keys with a holder when the writers were stopped. */
  Map<Key, Token> held() {
    return held;
  }

  private void work(Random random) {
    while (!stopping) {
      step(Key.of(tenant, "orders", "order " + random.nextInt(keys)), random.nextInt(100));
      steps.incrementAndGet();
    }
  }

  private void step(Key key, int chance) {
    Token token = Token.draw();
    ClaimResult claim =
        store
            .idempotency()
            .claim(
                new ClaimRequest(
                    key,
                    token,
                    Fingerprint.of(key.text()),
                    LEASE,
                    RETENTION,
                    TakeoverPolicy.IN_DOUBT,
                    "moving"));
    if (!(claim instanceof ClaimResult.Granted)) {
      return;
    }
    if (chance < 30) {
      require(store.idempotency().release(key, token));
    } else if (chance < 35) {
      held.put(key, token);
    } else {
      effects.merge(key, 1, Integer::sum);
      ExecutionEnd ending =
          chance < 40
              ? ExecutionEnd.failed(new StoredFailure("Declined", key.text()))
              : ExecutionEnd.completed(response(key));
      require(store.idempotency().renew(key, token, LEASE));
      require(store.idempotency().complete(key, token, ending, RETENTION));
    }
  }

  private static void require(boolean accepted) {
    if (!accepted) {
      throw new IllegalStateException("the holder of a key was refused");
    }
  }

  /** Lets every writer finish its step. */
  public void stop() throws Exception {
    stopping = true;
    for (Future<?> each : running) {
      each.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    }
  }

  @Override
  public void close() {
    stopping = true;
    threads.shutdownNow();
  }
}
