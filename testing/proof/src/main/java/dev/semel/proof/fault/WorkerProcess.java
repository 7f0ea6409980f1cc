package dev.semel.proof.fault;

import dev.semel.StoreException;
import dev.semel.proof.ProofWait;
import dev.semel.proof.WorkerOrders;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * A worker that is killed and restarted under the same number. Each of its lives writes a separate
 * history. For one thread.
 */
public final class WorkerProcess implements AutoCloseable {
  private static final Duration START_LIMIT = Duration.ofSeconds(60);
  private static final Duration END_LIMIT = Duration.ofSeconds(20);

  /** The orders of its first life. */
  private final WorkerOrders orders;

  private final Class<?> main;
  private final List<FaultGate> gates;
  private final List<Life> lives = new CopyOnWriteArrayList<>(); // also read by the shutdown hook
  private long beganNanos;
  private long executions;

  private record Life(ChildJvm child, Path history) {}

  /**
   * Starts the worker.
   *
   * @param gates on its connections; closed with the worker
   */
  public WorkerProcess(WorkerOrders orders, Class<?> main, List<FaultGate> gates) {
    this.orders = orders;
    this.main = main;
    this.gates = List.copyOf(gates);
    live();
  }

  private void live() {
    WorkerOrders next = orders.ofLife(lives.size() + 1);
    Path log = orders.history().resolveSibling(next.client() + ".log");
    ChildJvm child = ChildJvm.start(main, log);
    lives.add(new Life(child, next.history()));
    child.tell(next.line());
  }

  private Life life() {
    return lives.get(lives.size() - 1);
  }

  String name() {
    return orders.client();
  }

  List<FaultGate> gates() {
    return gates;
  }

  ChildJvm child() {
    return life().child();
  }

  /**
   * Returns when the worker has opened the store.
   *
   * @throws StoreException when it can't
   */
  public void awaitReady() {
    ProofWait.until(START_LIMIT, () -> ready() || !child().alive());
    if (!ready()) {
      throw new StoreException("%s did not start: %s".formatted(name(), child().output().strip()));
    }
  }

  void go(long began) {
    beganNanos = began;
    child().tell(Long.toString(began));
  }

  private boolean ready() {
    return child().output().lines().anyMatch(SupervisedProcess.READY::equals);
  }

  /**
   * Returns when it works again, or at the limit; a worker that can't open the store tries again.
   */
  void revive(Duration limit) {
    live();
    boolean revived =
        ProofWait.until(
            limit,
            () -> {
              if (!ready() && !child().alive()) {
                live();
              }
              return ready();
            });
    if (revived) {
      child().tell(Long.toString(beganNanos));
    }
  }

  /** The number of executions; it never decreases. */
  long executions() {
    long counted = lives.stream().mapToLong(life -> last(life.child().output())).sum();
    executions = Math.max(executions, counted);
    return executions;
  }

  /** The last complete line; the first line says only that the worker is ready. */
  private static long last(String output) {
    int end = output.lastIndexOf('\n');
    String line = output.substring(output.lastIndexOf('\n', end - 1) + 1, Math.max(end, 0)).strip();
    return line.matches("\\d+") ? Long.parseLong(line) : 0;
  }

  void askToEnd() {
    child().tell(SupervisedProcess.END);
  }

  /** Kills a worker that does not end, which the history can express. */
  void awaitEnd() {
    ProofWait.until(END_LIMIT, () -> !child().alive());
    child().kill();
  }

  /**
   * Checks a worker that has ended.
   *
   * @throws IllegalStateException when the worker started and then failed in a way that no fault
   *     explains
   */
  public void requireSuccess() {
    if (ready() && child().failed()) {
      throw new IllegalStateException("%s failed: %s".formatted(name(), child().output().strip()));
    }
  }

  List<Path> histories() {
    return lives.stream().map(Life::history).toList();
  }

  @Override
  public void close() {
    lives.forEach(life -> life.child().close());
    gates.forEach(FaultGate::close);
  }
}
