package dev.semel.proof.history;

import dev.semel.Key;
import dev.semel.StoreException;
import dev.semel.Token;
import dev.semel.idempotency.ClaimResult;
import dev.semel.idempotency.Codec;
import dev.semel.idempotency.Fingerprint;
import dev.semel.idempotency.MemoryStore;
import dev.semel.idempotency.TakeoverPolicy;
import dev.semel.idempotency.spi.ClaimRequest;
import dev.semel.idempotency.spi.ExecutionEnd;
import dev.semel.idempotency.spi.IdempotencyStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CyclicBarrier;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

/**
 * Several clients at once on the keys of one memory store, each taking random steps, some with
 * tokens that lost their key. Round by round they meet on one key after another.
 */
final class RandomRun {
  static final Duration TICK = Duration.ofNanos(100_000);
  static final Duration LEASE = Duration.ofMillis(5);
  static final Duration RETENTION = Duration.ofMillis(10);

  /** The memory store counts in whole milliseconds. */
  static final Duration TOLERANCE = Duration.ofMillis(1);

  private static final int CLIENTS = 8;
  private static final int STEPS_PER_KEY = 8;

  private final int keys;
  private final long seed;
  private final TickingClock clock = new TickingClock(TICK);
  private final IdempotencyStore store;

  RandomRun(int keys, long seed, UnaryOperator<IdempotencyStore> around) {
    this.keys = keys;
    this.seed = seed;
    this.store = around.apply(new MemoryStore(clock));
  }

  History history() throws InterruptedException {
    List<MemoryRecorder> recorders =
        IntStream.range(0, CLIENTS)
            .mapToObj(i -> new MemoryRecorder("client-" + i, clock::nanos))
            .toList();
    CyclicBarrier together = new CyclicBarrier(CLIENTS);
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < CLIENTS; i++) {
      IdempotencyStore recorded = new RecordedStore(store, recorders.get(i));
      Random random = new Random(seed * CLIENTS + i);
      threads.add(Thread.ofPlatform().start(() -> run(recorded, random, together)));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    return MemoryRecorder.history(recorders);
  }

  private void run(IdempotencyStore recorded, Random random, CyclicBarrier together) {
    for (int k = 0; k < keys; k++) {
      try {
        together.await();
      } catch (Exception e) {
        throw new IllegalStateException(e);
      }
      new Client(recorded, random, Key.of("op", "key-" + k)).run();
    }
  }

  private static final class Client {
    private final IdempotencyStore store;
    private final Random random;
    private final Key key;
    private Token token = Token.draw();

    Client(IdempotencyStore store, Random random, Key key) {
      this.store = store;
      this.random = random;
      this.key = key;
    }

    void run() {
      for (int i = 0; i < STEPS_PER_KEY; i++) {
        try {
          step();
        } catch (StoreException e) {
          // Its answer is lost; the next step may ask again.
        }
      }
    }

    private void step() {
      switch (random.nextInt(10)) {
        case 0, 1, 2, 3, 4 -> claim();
        case 5, 6 -> store.renew(key, token, LEASE);
        case 7 -> store.release(key, token);
        default -> store.complete(key, token, ending(), RETENTION);
      }
    }

    private void claim() {
      if (random.nextInt(4) > 0) {
        token = Token.draw();
      }
      Fingerprint request =
          random.nextInt(5) > 0 ? Fingerprint.NONE : Fingerprint.of("" + random.nextInt(2));
      TakeoverPolicy takeover =
          random.nextInt(4) > 0 ? TakeoverPolicy.RUN_AGAIN : TakeoverPolicy.IN_DOUBT;
      ClaimResult claim =
          store.claim(new ClaimRequest(key, token, request, LEASE, RETENTION, takeover, ""));
      if (claim instanceof ClaimResult.Granted) {
        switch (random.nextInt(6)) {
          case 0, 1 -> store.complete(key, token, ending(), RETENTION);
          case 2 -> holdBeyondTheLease();
          default -> {
            // It falls silent, or goes on with its next step.
          }
        }
      }
    }

    /** Each renewal asks for the time and so lets it pass. */
    private void holdBeyondTheLease() {
      for (long i = 0; i < LEASE.dividedBy(TICK) / 2; i++) {
        store.renew(key, token, LEASE);
      }
    }

    /** The same for one token, as the library does it. */
    private ExecutionEnd ending() {
      return ExecutionEnd.completed(Codec.utf8().payload("of " + token.text()));
    }
  }
}
