package dev.semel.redis;

import dev.semel.Key;
import dev.semel.Token;
import dev.semel.idempotency.ClaimResult;
import dev.semel.idempotency.Fingerprint;
import dev.semel.idempotency.Payload;
import dev.semel.idempotency.TakeoverPolicy;
import dev.semel.idempotency.spi.ClaimRequest;
import dev.semel.idempotency.spi.ExecutionEnd;
import dev.semel.idempotency.spi.IdempotencyStore;
import dev.semel.loop.internal.Loop;
import dev.semel.proof.fault.EffectLog;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;

/**
 * A child that claims and completes order-0, order-1 and so on, and repeats recent ones, until a
 * file tells it to stop; then it asks for each once more. It logs every answer of the store with
 * its time, and repeats a failed call with its token.
 */
final class ClusterWorker {
  /** Longer than a failover, so that a takeover means a lost completion. */
  static final Duration LEASE = Duration.ofSeconds(20);

  private static final Duration RETENTION = Duration.ofHours(1);
  private static final int THREADS = 4;
  private static final int RECENT = 100;
  private static final Duration PACE = Duration.ofMillis(2);

  private final IdempotencyStore store;
  private final EffectLog log;

  private ClusterWorker(IdempotencyStore store, EffectLog log) {
    this.store = store;
    this.log = log;
  }

  static Key key(int number) {
    return Key.of("cluster", "order-" + number);
  }

  /** Arguments: the store's URL, the log, and the file that stops it. */
  public static void main(String[] arguments) throws InterruptedException {
    EffectLog log = new EffectLog(Path.of(arguments[1]));
    Path enough = Path.of(arguments[2]);
    AtomicReference<Throwable> failure = new AtomicReference<>();
    // It may start just after the cluster lost a primary.
    try (RedisStore opened = Reconnecting.until(() -> RedisStore.open(arguments[0]))) {
      ClusterWorker worker = new ClusterWorker(opened.idempotency(), log);
      AtomicInteger next = new AtomicInteger();
      inThreads(failure, () -> worker.work(next, enough));
      AtomicInteger again = new AtomicInteger();
      inThreads(failure, () -> worker.askAgain(again, next.get()));
    }
    if (failure.get() != null) {
      throw new IllegalStateException(failure.get());
    }
  }

  private static void inThreads(AtomicReference<Throwable> failure, Runnable work)
      throws InterruptedException {
    CountDownLatch done = new CountDownLatch(THREADS);
    for (int i = 0; i < THREADS; i++) {
      Loop.beside(
          "worker",
          () -> {
            try {
              work.run();
            } catch (RuntimeException | Error e) {
              failure.set(e);
            } finally {
              done.countDown();
            }
          });
    }
    done.await();
  }

  private void work(AtomicInteger next, Path enough) {
    Random random = new Random();
    while (Files.notExists(enough)) {
      int number = next.getAndIncrement();
      execute(key(number));
      execute(key(Math.max(0, number - random.nextInt(RECENT))));
      LockSupport.parkNanos(PACE.toNanos()); // keeps the log short enough to check it
    }
  }

  private void askAgain(AtomicInteger next, int count) {
    for (int number = next.getAndIncrement(); number < count; number = next.getAndIncrement()) {
      execute(key(number));
    }
  }

  private void execute(Key key) {
    Token token = Token.draw();
    ClaimRequest request =
        new ClaimRequest(
            key, token, Fingerprint.NONE, LEASE, RETENTION, TakeoverPolicy.RUN_AGAIN, "");
    if (Reconnecting.until(() -> store.claim(request)) instanceof ClaimResult.Granted granted) {
      write(granted.takenOver() ? "takeover" : "granted", key, granted.attempt());
      ExecutionEnd ending = ExecutionEnd.completed(Payload.EMPTY);
      if (Reconnecting.until(() -> store.complete(key, token, ending, RETENTION))) {
        write("completed", key, granted.attempt());
      } else {
        write("refused", key, granted.attempt());
      }
    }
  }

  private void write(String what, Key key, int attempt) {
    log.write(what + "@" + System.currentTimeMillis(), key, attempt);
  }
}
