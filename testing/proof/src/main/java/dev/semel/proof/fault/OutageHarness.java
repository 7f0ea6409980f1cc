package dev.semel.proof.fault;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Key;
import dev.semel.StoreException;
import dev.semel.event.Event;
import dev.semel.event.Event.Reconciled.Verdict;
import dev.semel.idempotency.Codec;
import dev.semel.idempotency.ExecutionPolicy;
import dev.semel.idempotency.ExecutionRequest;
import dev.semel.idempotency.Idempotency;
import dev.semel.idempotency.OnOutage;
import dev.semel.idempotency.spi.Store;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;

/**
 * Runs two users of one engine under load, with separate connections and journals, while the engine
 * goes down and comes back. Both ask for every key, many times. The harness counts effects apart
 * from the store, and compares them with the reports.
 */
public final class OutageHarness {
  private static final int THREADS_EACH = 4;
  private static final Duration PATIENCE = Duration.ofSeconds(90);

  private final OnOutage policy;
  private final int keys;
  private final AtomicBoolean running = new AtomicBoolean(true);
  private final AtomicInteger asked = new AtomicInteger();
  private final AtomicInteger refused = new AtomicInteger();
  private final AtomicBoolean felt = new AtomicBoolean();
  private final Map<Key, AtomicInteger> effects = new ConcurrentHashMap<>();
  private final Map<Key, Set<Verdict>> verdicts = new ConcurrentHashMap<>();

  private OutageHarness(OnOutage policy, int keys) {
    this.policy = policy;
    this.keys = keys;
  }

  /** Makes the engine fail, and brings it back. */
  public interface Outage {
    /**
     * Runs one outage from beginning to end.
     *
     * @param untilFelt returns once a user noticed the outage, however slow the machine; the outage
     *     must not end before
     */
    void happen(Runnable untilFelt);
  }

  /** The result of a run. */
  public record Account(
      int asked, int refused, int effects, Set<Key> ranTwice, Map<Key, Set<Verdict>> verdicts) {
    /** Keys that were reported with this verdict. */
    public Set<Key> reported(Verdict verdict) {
      return verdicts.entrySet().stream()
          .filter(entry -> entry.getValue().contains(verdict))
          .map(Map.Entry::getKey)
          .collect(Collectors.toCollection(() -> new TreeSet<>(BY_TEXT)));
    }

    private static final java.util.Comparator<Key> BY_TEXT =
        java.util.Comparator.comparing(Key::text);
  }

  /**
   * Runs until every key was asked for after the engine came back, and all is reconciled.
   *
   * @param stores two stores with separate connections
   * @param journals a folder
   */
  public static Account run(
      List<Store> stores, OnOutage policy, int keys, Path journals, Outage outage) {
    return new OutageHarness(policy, keys).run(stores, journals, outage);
  }

  private Account run(List<Store> stores, Path journals, Outage outage) {
    List<Idempotency> users = new ArrayList<>();
    List<Thread> threads = new ArrayList<>();
    try {
      for (Store store : stores) {
        Idempotency user = new Idempotency(store, this::note, journals);
        users.add(user);
        for (int i = 0; i < THREADS_EACH; i++) {
          Random order = new Random(threads.size() + 1L);
          threads.add(Thread.ofPlatform().daemon().start(() -> work(user, order)));
        }
      }
      await(() -> asked.get() >= keys / 4);
      outage.happen(() -> feel(users.getFirst()));
      int before = asked.get();
      await(() -> asked.get() >= before + keys / 4);
      running.set(false);
      for (Thread thread : threads) {
        thread.join();
      }
      for (int i = 0; i < keys; i++) {
        finish(users.getFirst(), key(i));
      }
      awaitReconciled(journals);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    } finally {
      running.set(false);
      users.forEach(Idempotency::close);
    }
    Set<Key> twice = new TreeSet<>(Account.BY_TEXT);
    effects.forEach(
        (key, count) -> {
          if (count.get() > 1) {
            twice.add(key);
          }
        });
    assertThat(effects).as("every key took effect").hasSize(keys);
    int all = effects.values().stream().mapToInt(AtomicInteger::get).sum();
    return new Account(asked.get(), refused.get(), all, twice, verdicts);
  }

  /**
   * Makes a separate call: the other threads may all be busy with recording, which they retry until
   * their leases end. An outage that waited for them would leave their keys in doubt.
   */
  private void feel(Idempotency user) {
    AtomicInteger next = new AtomicInteger();
    await(() -> felt.get() || (!ask(user, key(next.getAndIncrement() % keys)) && felt.get()));
  }

  private static Key key(int number) {
    return Key.of("outage", "order-" + number);
  }

  private void work(Idempotency user, Random order) {
    while (running.get()) {
      if (!ask(user, key(order.nextInt(keys)))) {
        LockSupport.parkNanos(Duration.ofMillis(1).toNanos()); // avoids a busy loop
      }
    }
  }

  /** Asks until the answer has a result. */
  private void finish(Idempotency user, Key key) {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (!ask(user, key)) {
      assertThat(System.nanoTime()).as("%s is answered in time", key).isLessThan(deadline);
      LockSupport.parkNanos(Duration.ofMillis(1).toNanos());
    }
  }

  private boolean ask(Idempotency user, Key key) {
    asked.incrementAndGet();
    try {
      return user.execute(
              ExecutionRequest.of(key, Codec.utf8())
                  .withPolicy(ExecutionPolicy.defaults().withOnOutage(policy)),
              execution -> {
                effects.computeIfAbsent(key, k -> new AtomicInteger()).incrementAndGet();
                return "done";
              })
          .value()
          .isPresent();
    } catch (StoreException e) {
      refused.incrementAndGet();
      felt.set(true);
      return false;
    }
  }

  private void note(Event event) {
    if (event instanceof Event.Unguarded) {
      felt.set(true);
    }
    if (event instanceof Event.Reconciled reconciled) {
      verdicts
          .computeIfAbsent(reconciled.key(), k -> ConcurrentHashMap.newKeySet())
          .add(reconciled.verdict());
    }
  }

  private static void await(BooleanSupplier condition) {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime() - deadline).as("waited too long").isNegative();
      LockSupport.parkNanos(Duration.ofMillis(1).toNanos());
    }
  }

  /** Waits as long as reconciliation makes progress, however many entries there are. */
  private void awaitReconciled(Path journals) {
    while (!isEmpty(journals)) {
      int known = verdicts.size();
      await(() -> isEmpty(journals) || verdicts.size() > known);
    }
  }

  private static boolean isEmpty(Path journals) {
    String[] files = journals.toFile().list();
    return files == null || files.length == 0;
  }
}
