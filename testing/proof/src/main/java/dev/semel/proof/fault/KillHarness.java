package dev.semel.proof.fault;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Key;
import dev.semel.event.Event;
import dev.semel.idempotency.Codec;
import dev.semel.idempotency.ExecutionPolicy;
import dev.semel.idempotency.ExecutionRequest;
import dev.semel.idempotency.Idempotency;
import dev.semel.idempotency.Outcome;
import dev.semel.idempotency.TakeoverPolicy;
import dev.semel.idempotency.spi.IdempotencyStore;
import dev.semel.idempotency.spi.RecordState;
import dev.semel.idempotency.spi.Store;
import dev.semel.idempotency.spi.StoredRecord;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;

/**
 * Child JVMs hammer one store with the same keys and are killed with {@code -9} at random. The
 * harness starts and kills them; their main class does the work, usually with {@link #hammer(Store,
 * String[])}.
 */
public final class KillHarness {
  /** The number of concurrent children. */
  private static final int CHILDREN = 2;

  private static final int BYTES_PER_EFFECT = 30;

  /** The children's lease: after a kill its keys are free for takeover after this. */
  private static final Duration LEASE = Duration.ofMillis(400);

  private final Class<?> main;
  private final String[] arguments;
  private final Path log;
  private final LongSupplier progress;

  /**
   * Prepares a run.
   *
   * @param main the children's main class; a child ends once every key is done
   * @param log the file for the children's output
   * @param progress the children's progress so far, in any unit that only grows
   */
  public KillHarness(Class<?> main, Path log, LongSupplier progress, String... arguments) {
    this.main = main;
    this.arguments = arguments.clone();
    this.log = log;
    this.progress = progress;
  }

  /**
   * A whole run in lease mode, with its checks.
   *
   * @param worker a child's main class, which opens the store in its first argument and calls
   *     {@link #hammer(Store, String[])}
   * @param where the children's first argument
   * @param store the same store, for the checks at the end
   */
  public static void killInLeaseMode(
      Class<?> worker, String where, IdempotencyStore store, Path folder, Kills kills) {
    Path file = folder.resolve("effects");
    EffectLog effects = new EffectLog(file);
    new KillHarness(
            worker,
            folder.resolve("children.log"),
            effects::bytes,
            where,
            file.toString(),
            Integer.toString(kills.keys()))
        .run(kills.rounds(), BYTES_PER_EFFECT * kills.keys() / kills.rounds(), kills.seed());
    check(store, effects, keys(kills.keys()));
  }

  /** The size of a run. The seed decides which children are killed, and after how much progress. */
  public record Kills(int rounds, int keys, long seed) {
    /** A small run for the gate. */
    public static final Kills FEW = new Kills(4, 400, 1);

    /** A run of the second ring. */
    public static Kills many(int rounds, long seed) {
      return new Kills(rounds, 100 * rounds, seed);
    }

    /** The figures that a test publishes. */
    public Map<String, String> figures() {
      return Map.of("seed", "" + seed, "kills", "" + rounds, "keys", "" + keys);
    }
  }

  /** A child's work, with the arguments from the harness. */
  public static void hammer(Store store, String[] arguments) {
    hammer(store, new EffectLog(Path.of(arguments[1])), keys(Integer.parseInt(arguments[2])));
  }

  /** The keys of one run. */
  public static List<Key> keys(int count) {
    return IntStream.range(0, count).mapToObj(i -> Key.of("hammer", "order-" + i)).toList();
  }

  /**
   * Kills one child per round, each after a random amount of progress, then lets the rest finish.
   *
   * @param mostStep the most progress between two kills
   */
  public void run(int rounds, int mostStep, long seed) {
    Random random = new Random(seed);
    List<ChildJvm> children = new ArrayList<>();
    try {
      for (int i = 0; i < CHILDREN; i++) {
        children.add(child());
      }
      for (int round = 0; round < rounds; round++) {
        awaitProgress(children, 1 + random.nextInt(mostStep));
        int victim = random.nextInt(CHILDREN);
        children.get(victim).kill();
        children.set(victim, child());
      }
      children.forEach(ChildJvm::awaitSuccess);
    } finally {
      children.forEach(ChildJvm::close);
    }
  }

  private ChildJvm child() {
    return ChildJvm.start(main, log, arguments);
  }

  /** Also returns when all children have ended: then there is nothing left to do. */
  private void awaitProgress(List<ChildJvm> children, int step) {
    long target = progress.getAsLong() + step;
    while (progress.getAsLong() < target && children.stream().anyMatch(ChildJvm::alive)) {
      LockSupport.parkNanos(Duration.ofMillis(2).toNanos());
    }
  }

  /**
   * A child's work in lease mode: executes every key until it is done, in random order, with an
   * effect outside the store. It logs every takeover before the effect that it allows.
   */
  public static void hammer(Store store, EffectLog effects, List<Key> keys) {
    ExecutionPolicy policy =
        ExecutionPolicy.defaults().withLease(LEASE).withTakeover(TakeoverPolicy.RUN_AGAIN);
    try (Idempotency idempotency = new Idempotency(store, event -> writeTakeover(effects, event))) {
      List<Key> open = new ArrayList<>(keys);
      Random random = new Random();
      while (!open.isEmpty()) {
        int next = random.nextInt(open.size());
        Key key = open.get(next);
        Outcome<String> outcome =
            idempotency.execute(
                ExecutionRequest.of(key, Codec.utf8()).withPolicy(policy),
                execution -> {
                  effects.write("effect", key, execution.attempt());
                  return "done";
                });
        if (outcome.value().isPresent()) {
          open.remove(next);
        }
      }
    }
  }

  private static void writeTakeover(EffectLog effects, Event event) {
    if (event instanceof Event.TakenOver taken) {
      effects.write("takeover", taken.key(), taken.attempt());
    }
  }

  /**
   * Checks that every key is done, and that every effect but a key's first is a reported takeover.
   */
  public static void check(IdempotencyStore store, EffectLog effects, List<Key> keys) {
    Set<EffectLog.Line> takeovers = new HashSet<>();
    Set<EffectLog.Line> seen = new HashSet<>();
    Set<Key> done = new HashSet<>();
    for (EffectLog.Line line : effects.read()) {
      if (line.what().equals("takeover")) {
        takeovers.add(line);
        continue;
      }
      assertThat(seen.add(line)).as("one effect per attempt: %s", line).isTrue();
      if (!done.add(line.key())) {
        assertThat(takeovers)
            .as("a second effect is a takeover that was reported before: %s", line)
            .contains(new EffectLog.Line("takeover", line.key(), line.attempt()));
      }
    }
    assertThat(done).containsExactlyInAnyOrderElementsOf(keys);
    assertThat(keys)
        .allMatch(
            key -> store.find(key).map(StoredRecord::state).orElseThrow() == RecordState.COMPLETED);
  }
}
