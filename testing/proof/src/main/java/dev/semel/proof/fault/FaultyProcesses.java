package dev.semel.proof.fault;

import dev.semel.StoreException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

/** Processes that are killed, frozen and disconnected, with separate gates each. For one thread. */
public final class FaultyProcesses implements FaultVictims, AutoCloseable {
  private final List<WorkerProcess> workers = new CopyOnWriteArrayList<>();

  /** The gate at which each process's fault is. */
  private final Map<Integer, FaultGate> struck = new HashMap<>();

  /** Kills the processes when this one ends: a frozen one would not notice the end of its input. */
  private final Thread atExit = new Thread(this::closeAll, "semel-prove-end");

  public FaultyProcesses() {
    Runtime.getRuntime().addShutdownHook(atExit);
  }

  public void add(WorkerProcess worker) {
    workers.add(worker);
  }

  /**
   * Returns when all processes added so far are ready.
   *
   * @throws StoreException when one can't become ready
   */
  public void awaitReady() {
    workers.forEach(WorkerProcess::awaitReady);
  }

  public void go(long beganNanos) {
    workers.forEach(worker -> worker.go(beganNanos));
  }

  @Override
  public List<Integer> whom(ProcessFault fault) {
    return IntStream.range(0, workers.size())
        .filter(number -> !fault.ofTheNetwork() || !workers.get(number).gates().isEmpty())
        .boxed()
        .toList();
  }

  @Override
  public String name(int number) {
    return workers.get(number).name();
  }

  @Override
  public String strike(ProcessFault fault, int number, RandomGenerator random) {
    WorkerProcess worker = workers.get(number);
    return switch (fault) {
      case KILL -> {
        worker.child().kill();
        yield "";
      }
      case STOP -> {
        worker.child().pause();
        yield "";
      }
      case DELAY, CUT, SILENT, LOST_ANSWERS -> {
        FaultGate gate = worker.gates().get(random.nextInt(worker.gates().size()));
        gate.strike(fault, random);
        struck.put(number, gate);
        yield gate.to();
      }
    };
  }

  @Override
  public void heal(ProcessFault fault, int number, Duration limit) {
    WorkerProcess worker = workers.get(number);
    switch (fault) {
      case KILL -> worker.revive(limit);
      case STOP -> worker.child().resume();
      case DELAY, CUT, SILENT, LOST_ANSWERS -> {
        FaultGate gate = struck.remove(number);
        if (gate != null) {
          gate.heal(fault);
        }
      }
    }
  }

  @Override
  public long executions() {
    return workers.stream().mapToLong(WorkerProcess::executions).sum();
  }

  /** Lets these processes finish their current work, and end. */
  public void finish(List<WorkerProcess> some) {
    some.forEach(WorkerProcess::askToEnd);
    some.forEach(WorkerProcess::awaitEnd);
  }

  public List<WorkerProcess> all() {
    return List.copyOf(workers);
  }

  /** The files with the processes' histories. */
  public List<Path> histories() {
    return workers.stream()
        .flatMap(worker -> worker.histories().stream())
        .filter(Files::exists)
        .toList();
  }

  private void closeAll() {
    workers.forEach(WorkerProcess::close);
  }

  @Override
  public void close() {
    closeAll();
    try {
      Runtime.getRuntime().removeShutdownHook(atExit);
    } catch (IllegalStateException e) {
      return; // the hook runs, and finds nothing to do
    }
  }
}
