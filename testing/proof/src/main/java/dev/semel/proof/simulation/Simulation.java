package dev.semel.proof.simulation;

import dev.semel.Key;
import dev.semel.event.SemelListener;
import dev.semel.event.spi.EventStore;
import dev.semel.idempotency.Execution;
import dev.semel.idempotency.ExecutionPolicy;
import dev.semel.idempotency.Idempotency;
import dev.semel.idempotency.MemoryStore;
import dev.semel.idempotency.TakeoverPolicy;
import dev.semel.idempotency.spi.IdempotencyStore;
import dev.semel.idempotency.spi.KeyCatalog;
import dev.semel.idempotency.spi.SettingsStore;
import dev.semel.idempotency.spi.StatisticsStore;
import dev.semel.idempotency.spi.Store;
import dev.semel.proof.history.History;
import dev.semel.proof.history.HistoryCheckers;
import dev.semel.proof.history.MemoryRecorder;
import dev.semel.proof.history.RecordedAnswer;
import dev.semel.proof.history.RecordedExecutions;
import dev.semel.proof.history.RecordedExecutions.WorkFailed;
import dev.semel.proof.history.RecordedStore;
import dev.semel.proof.history.Violation;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;

/**
 * A few processes execute the same few keys through the real executor, on one store, while random
 * faults lose and delay requests and answers, and freeze and kill processes. Afterwards everything
 * heals, each key is asked for once more, and the checkers judge.
 */
public final class Simulation {
  private static final int KEYS = 8;

  /** The number of current keys; their window moves with the executions. */
  private static final int KEYS_AT_ONCE = 3;

  private static final int PROCESSES = 3;
  private static final int WORKERS = 2;
  private static final int EXECUTIONS = 60;
  private static final int MOST_KILLS = 4;
  private static final Duration LEASE = Duration.ofSeconds(1);
  private static final Duration LONGEST_DELAY = LEASE.multipliedBy(3);

  /** The store counts in whole milliseconds. */
  private static final Duration STORE_GRAIN = Duration.ofMillis(1);

  private static final Duration LOOK_EVERY = Duration.ofMillis(50);

  private static final Set<RecordedAnswer.Kind> DOUBTS =
      EnumSet.of(RecordedAnswer.Kind.IN_DOUBT, RecordedAnswer.Kind.TAKEN_OVER);

  /** From no faults to so many that hardly any call works. */
  private static final double[] FAULTS_PER_CALL = {0, 0.02, 0.05, 0.1, 0.2};

  private final SimulatedWorld world;
  private final Random random;
  private final SimulatedMachine server;
  private final MemoryStore store;
  private final Mutation mutation;
  private final SimulatedNetwork network;
  private final List<MemoryRecorder> recorders = new ArrayList<>();
  private final List<Violation> seenAtOnce = new ArrayList<>();
  private int executionsLeft = EXECUTIONS;
  private int started;
  private int values;

  /** A defect of the store, to test whether the checkers notice it. */
  @FunctionalInterface
  public interface Mutation {
    /** The correct store. */
    Mutation NONE = (store, pause) -> store;

    /**
     * A defective store.
     *
     * @param pause lets other tasks run in the middle of a step that should be atomic
     */
    IdempotencyStore of(IdempotencyStore store, Runnable pause);
  }

  /**
   * The result of a run.
   *
   * @param steps the number of task switches; equal in two runs of one seed
   */
  public record Result(
      History history, List<Violation> violations, Map<String, Integer> faults, long steps) {}

  private Simulation(long seed, Mutation mutation) {
    this.world = new SimulatedWorld(seed);
    this.random = world.random();
    this.server = new SimulatedMachine(world, "server", 0, Duration.ZERO);
    this.store = new MemoryStore(server.clock());
    this.mutation = mutation;
    this.network = new SimulatedNetwork(world, server, LONGEST_DELAY);
  }

  /** Runs one seed to its end. */
  public static Result run(long seed, Mutation mutation) {
    return new Simulation(seed, mutation).run();
  }

  private Result run() {
    world.run(server, this::direct);
    History history = MemoryRecorder.history(recorders);
    List<Violation> violations = new ArrayList<>(seenAtOnce);
    violations.addAll(HistoryCheckers.check(HistoryCheckers.all(STORE_GRAIN, false), history));
    if (network.injected().isEmpty()) {
      violations.addAll(doubts(history));
    }
    Map<String, Integer> faults = new TreeMap<>();
    network.injected().forEach((fault, count) -> faults.put(fault.name(), count));
    return new Result(history, violations, faults, world.steps());
  }

  /** Without faults there must be no doubts and no takeovers, because leases are renewed. */
  private static List<Violation> doubts(History history) {
    return history.calls().stream()
        .filter(call -> DOUBTS.contains(call.answer().kind()))
        .map(
            call ->
                new Violation(
                    "where nothing fails, nothing is in doubt",
                    call.key(),
                    "%s was answered %s although nothing had failed"
                        .formatted(call.client(), call.answer().kind()),
                    List.of(call),
                    List.of()))
        .toList();
  }

  private void direct() {
    network.weather(FAULTS_PER_CALL[random.nextInt(FAULTS_PER_CALL.length)], MOST_KILLS);
    List<Running> running = new ArrayList<>();
    for (int i = 0; i < PROCESSES; i++) {
      running.add(start());
    }
    while (running.stream().anyMatch(Running::works)) {
      world.sleep(LOOK_EVERY.toNanos());
      running.replaceAll(r -> r.platform().dead() && executionsLeft > 0 ? start() : r);
    }
    network.weather(0, 0);
    world.sleep(LONGEST_DELAY.multipliedBy(2).toNanos());
    Running judge = start(0);
    for (int k = 0; k < KEYS; k++) {
      execute(judge, k);
    }
    running.add(judge);
    running.forEach(r -> r.platform().kill());
  }

  /** A process and its tools; after a kill it does nothing. */
  private final class Running {
    private final SimulatedMachine platform;
    private final MemoryRecorder recorder;
    private final RecordedExecutions executions;
    private int workers;

    Running(SimulatedMachine platform, int workers) {
      this.platform = platform;
      this.recorder = new MemoryRecorder(platform.name(), world::now);
      this.workers = workers;
      recorders.add(recorder);
      IdempotencyStore seen =
          network.between(
              platform, IdempotencyStore.class, mutation.of(store.idempotency(), this::others));
      this.executions =
          new RecordedExecutions(
              new Idempotency(
                  new Seen(platform, new RecordedStore(seen, recorder)),
                  SemelListener.NONE,
                  platform),
              recorder);
    }

    private void others() {
      world.sleep(random.nextLong(LOOK_EVERY.toNanos()));
    }

    SimulatedMachine platform() {
      return platform;
    }

    boolean works() {
      return workers > 0 && !platform.dead();
    }
  }

  private Running start() {
    return start(WORKERS);
  }

  private Running start(int workers) {
    long nanosOffset = random.nextLong();
    Duration clockOffset = Duration.ofSeconds(random.nextInt(-100, 100));
    SimulatedMachine platform =
        new SimulatedMachine(world, "process-" + ++started, nanosOffset >> 8, clockOffset);
    Running process = new Running(platform, workers);
    for (int i = 0; i < workers; i++) {
      platform.start("worker-" + i, () -> work(process));
    }
    return process;
  }

  private void work(Running process) {
    while (executionsLeft > 0) {
      executionsLeft--;
      execute(process, nextKey());
      world.sleep(random.nextLong(LEASE.toNanos()));
    }
    process.workers--;
  }

  private int nextKey() {
    int first = (KEYS - KEYS_AT_ONCE + 1) * (EXECUTIONS - executionsLeft - 1) / EXECUTIONS;
    return first + random.nextInt(KEYS_AT_ONCE);
  }

  private void execute(Running process, int k) {
    Key key = Key.of("simulated", "key-" + k);
    ExecutionPolicy policy =
        ExecutionPolicy.defaults()
            .withLease(LEASE)
            .withTakeover(k % 2 == 0 ? TakeoverPolicy.IN_DOUBT : TakeoverPolicy.RUN_AGAIN)
            .withWaitUpTo(random.nextInt(3) == 0 ? LEASE : Duration.ZERO);
    String value = "value-" + ++values;
    process.executions.execute(
        key,
        policy,
        execution -> {
          busy();
          look(process, execution);
          if (random.nextInt(5) == 0) {
            throw new WorkFailed();
          }
          process.recorder.effect(key, execution.attempt(), execution.takenOver(), value);
          busy();
          look(process, execution);
          return value;
        });
  }

  /**
   * Work that checks whether it still holds its key must not get a yes after another got the key.
   */
  private void look(Running process, Execution execution) {
    boolean holds =
        store.find(execution.key()).filter(e -> e.token().equals(execution.token())).isPresent();
    if (execution.held() && !holds) {
      String what =
          "%s was told in attempt %d that it still holds the key, and it did not"
              .formatted(process.platform().name(), execution.attempt());
      seenAtOnce.add(
          new Violation(
              "whoever believes to hold a key does", execution.key(), what, List.of(), List.of()));
    }
  }

  /** Takes a random time, sometimes longer than a lease, so that it must be renewed. */
  private void busy() {
    long most = random.nextInt(4) == 0 ? LEASE.toNanos() * 2 : LEASE.toNanos() / 10;
    world.sleep(random.nextLong(most));
  }

  /** The store, as one process sees it. */
  private final class Seen implements Store {
    private final SimulatedMachine process;
    private final IdempotencyStore idempotency;

    Seen(SimulatedMachine process, IdempotencyStore idempotency) {
      this.process = process;
      this.idempotency = idempotency;
    }

    @Override
    public String describe() {
      return "simulated";
    }

    @Override
    public IdempotencyStore idempotency() {
      return idempotency;
    }

    @Override
    public KeyCatalog catalog() {
      return network.between(process, KeyCatalog.class, store.catalog());
    }

    @Override
    public StatisticsStore statistics() {
      return network.between(process, StatisticsStore.class, store.statistics());
    }

    @Override
    public SettingsStore settings() {
      return network.between(process, SettingsStore.class, store.settings());
    }

    @Override
    public EventStore events() {
      return network.between(process, EventStore.class, store.events());
    }

    @Override
    public Instant now() {
      return store.now();
    }

    @Override
    public void close() {}
  }
}
