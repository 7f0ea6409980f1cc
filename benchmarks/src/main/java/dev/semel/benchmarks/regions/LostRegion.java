package dev.semel.benchmarks.regions;

import dev.semel.Key;
import dev.semel.StoreException;
import dev.semel.event.SemelListener;
import dev.semel.idempotency.Codec;
import dev.semel.idempotency.ExecutionPolicy;
import dev.semel.idempotency.ExecutionRequest;
import dev.semel.idempotency.Idempotency;
import dev.semel.idempotency.Outcome;
import dev.semel.idempotency.TakeoverPolicy;
import dev.semel.redis.RedisStore;
import dev.semel.testservices.RedisService;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * Region A works, and region B has a copy. A is lost at some moment, B takes over, and every caller
 * that sent a request to A asks again at B.
 */
final class LostRegion {
  private static final Duration LEASE = Duration.ofSeconds(1);
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final int ASKERS = 64;

  /** How A is lost. */
  enum Loss {
    /** The process dies; data in flight arrives, and B waits for it. */
    KILLED,
    /** The line breaks at the same moment: data in flight is lost. */
    CUT,
    /** The line breaks, and A goes on for half a second before its callers leave it. */
    CUT_EARLIER
  }

  /**
   * One case.
   *
   * @param waits whether A's store waits for B's copy before it grants a claim
   */
  record Case(Loss loss, Duration delay, int rate, boolean waits, TakeoverPolicy takeover) {}

  /**
   * The result of a case.
   *
   * @param ran keys that took effect in A
   * @param silently of them: ran again in B, as if nobody had claimed them
   * @param again of them: ran again in B by a takeover, which is reported
   * @param doubtful answered in B with "in doubt"
   * @param falseDoubts of them: had no effect
   * @param p50 of an execution in A, in milliseconds
   */
  record Seen(int ran, int silently, int again, int doubtful, int falseDoubts, double p50) {}

  private final Case setup;
  private final Effects effects = new Effects();
  private final Queue<String> asked = new ConcurrentLinkedQueue<>();
  private final Queue<Long> took = new ConcurrentLinkedQueue<>();
  private final AtomicInteger silently = new AtomicInteger();
  private final AtomicInteger again = new AtomicInteger();
  private final AtomicInteger doubtful = new AtomicInteger();
  private final AtomicInteger falseDoubts = new AtomicInteger();
  private volatile boolean left;

  private LostRegion(Case setup) {
    this.setup = setup;
  }

  static Seen run(Case setup, Duration before) throws Exception {
    return new LostRegion(setup).run(before);
  }

  private Seen run(Duration before) throws Exception {
    try (RedisService a =
            RedisService.start("--appendonly", "no", "--repl-diskless-sync-delay", "0");
        DelayLine line = DelayLine.to(a.port(), setup.delay());
        RedisService b =
            RedisService.start(
                "--appendonly", "no", "--replicaof", "127.0.0.1", "" + line.port())) {
      awaitCopy(b);
      int ran = work(a, line, before);
      promote(b);
      askAgain(b);
      long[] sorted = took.stream().mapToLong(Long::longValue).sorted().toArray();
      double p50 = sorted.length == 0 ? 0 : sorted[sorted.length / 2] / 1e6;
      return new Seen(ran, silently.get(), again.get(), doubtful.get(), falseDoubts.get(), p50);
    }
  }

  private static void awaitCopy(RedisService b) throws InterruptedException {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (!command(b, c -> c.sync().info("replication")).contains("master_link_status:up")) {
      if (System.nanoTime() > end) {
        throw new IllegalStateException("B has no copy of A");
      }
      TimeUnit.MILLISECONDS.sleep(20);
    }
  }

  private static void promote(RedisService b) {
    command(b, c -> c.sync().replicaofNoOne());
  }

  @FunctionalInterface
  private interface Command {
    String ask(StatefulRedisConnection<String, String> connection);
  }

  private static String command(RedisService server, Command command) {
    RedisClient client = RedisClient.create(server.url());
    try (StatefulRedisConnection<String, String> connection = client.connect()) {
      return command.ask(connection);
    } finally {
      client.shutdown();
    }
  }

  /**
   * Works until A is lost.
   *
   * @return the number of keys that took effect before
   */
  private int work(RedisService a, DelayLine line, Duration before) throws Exception {
    String url = a.url() + (setup.waits() ? "?wait=1&wait-timeout=2s" : "");
    try (RedisStore store = RedisStore.open(url)) {
      Idempotency idempotency = new Idempotency(store, SemelListener.NONE);
      Thread callers = Thread.ofPlatform().start(() -> call(idempotency));
      TimeUnit.NANOSECONDS.sleep(before.toNanos());
      switch (setup.loss()) {
        case KILLED -> {}
        case CUT -> line.close();
        case CUT_EARLIER -> {
          line.close();
          TimeUnit.MILLISECONDS.sleep(500);
        }
      }
      a.kill();
      left = true;
      callers.join();
      int ran = effects.happened();
      if (setup.loss() == Loss.KILLED) {
        TimeUnit.NANOSECONDS.sleep(setup.delay().toNanos() + Duration.ofMillis(100).toNanos());
      }
      close(idempotency);
      return ran;
    }
  }

  /** Closes without an error: the last counts can't be flushed any more. */
  private static void close(Idempotency idempotency) {
    try {
      idempotency.close();
    } catch (StoreException e) {
      return;
    }
  }

  /** Makes calls at a steady rate, each from a separate caller. */
  private void call(Idempotency idempotency) {
    long step = TimeUnit.SECONDS.toNanos(1) / setup.rate();
    long due = System.nanoTime();
    for (int n = 0; !left; n++, due += step) {
      while (due > System.nanoTime()) {
        LockSupport.parkNanos(due - System.nanoTime());
      }
      String id = "k" + n;
      asked.add(id);
      Thread.ofVirtual().start(() -> callOnce(idempotency, id));
    }
  }

  private void callOnce(Idempotency idempotency, String id) {
    long started = System.nanoTime();
    try {
      Outcome<String> outcome = execute(idempotency, id);
      if (outcome instanceof Outcome.Executed<String> executed && executed.recorded()) {
        took.add(System.nanoTime() - started);
      }
    } catch (StoreException | InterruptedException e) {
      return; // the caller gets no answer, and asks again in B
    }
  }

  private Outcome<String> execute(Idempotency idempotency, String id) throws InterruptedException {
    ExecutionPolicy policy =
        ExecutionPolicy.defaults().withLease(LEASE).withTakeover(setup.takeover());
    return idempotency.execute(
        ExecutionRequest.of(Key.of("payment", id), Codec.utf8()).withPolicy(policy),
        execution -> effects.happen(id));
  }

  private void askAgain(RedisService b) throws InterruptedException {
    try (RedisStore store = RedisStore.open(b.url());
        Idempotency idempotency = new Idempotency(store, SemelListener.NONE)) {
      Queue<String> open = new ConcurrentLinkedQueue<>(List.copyOf(asked));
      Thread[] askers = new Thread[ASKERS];
      for (int i = 0; i < ASKERS; i++) {
        askers[i] =
            Thread.ofVirtual()
                .start(
                    () -> {
                      for (String id = open.poll(); id != null; id = open.poll()) {
                        askUntilAnswered(idempotency, id);
                      }
                    });
      }
      for (Thread asker : askers) {
        asker.join();
      }
    }
  }

  private void askUntilAnswered(Idempotency idempotency, String id) {
    boolean before = effects.happened(id);
    try {
      while (true) {
        switch (execute(idempotency, id)) {
          case Outcome.Executed<String> e -> {
            if (before) {
              (e.attempt() == 1 ? silently : again).incrementAndGet();
            }
            return;
          }
          case Outcome.InDoubt<String> d -> {
            doubtful.incrementAndGet();
            if (!before) {
              falseDoubts.incrementAndGet();
            }
            return;
          }
          case Outcome.InFlight<String> f ->
              TimeUnit.NANOSECONDS.sleep(f.left().toNanos() + 1_000_000);
          case Outcome.Replayed<String> r -> {
            return;
          }
          case Outcome.Mismatch<String> m -> throw new IllegalStateException(m.toString());
          case Outcome.Failed<String> f -> throw new IllegalStateException(f.toString());
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
