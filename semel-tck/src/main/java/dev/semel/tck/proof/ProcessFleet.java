package dev.semel.tck.proof;

import dev.semel.tck.FaultProxy;
import dev.semel.tck.FaultProxy.Weather;
import dev.semel.tck.history.FileRecorder;
import dev.semel.tck.history.History;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;
import java.util.random.RandomGenerator;

/** Workers that are processes, each with a network of its own to the store where there can be. */
final class ProcessFleet implements Fleet {
  private static final int LEAST_DELAY_MILLIS = 10;
  private static final int MOST_DELAY_MILLIS = 120;

  /** Long enough that no connection made in bad weather is missed when all are closed. */
  private static final Duration CLEARING = Duration.ofMillis(50);

  private final List<WorkerProcess> workers = new CopyOnWriteArrayList<>();

  /** Killed when this process ends: a stopped one would not see its standard input end. */
  private final Thread atExit = new Thread(this::closeAll, "semel-prove-end");

  /**
   * Starts them.
   *
   * @param folder for histories and logs
   */
  ProcessFleet(Target.Processes target, boolean network, Plan plan, String run, Path folder) {
    Runtime.getRuntime().addShutdownHook(atExit);
    for (int number = 0; number < plan.workers(); number++) {
      Optional<FaultProxy> proxy =
          network ? target.address().map(FaultProxy::before) : Optional.empty();
      String client = "worker-" + (number + 1);
      WorkerOrders orders =
          new WorkerOrders(
              proxy.map(p -> target.through().apply(address(p))).orElse(target.url()),
              folder.resolve(client + ".jsonl"),
              client,
              run,
              plan.keysPerSecond(),
              plan.perWorker(),
              plan.seedOf(number));
      workers.add(new WorkerProcess(orders, target.main(), proxy));
    }
  }

  private static InetSocketAddress address(FaultProxy proxy) {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), proxy.port());
  }

  @Override
  public void awaitReady() {
    workers.forEach(WorkerProcess::awaitReady);
  }

  @Override
  public void go(long beganNanos) {
    workers.forEach(worker -> worker.go(beganNanos));
  }

  @Override
  public void strike(Fault fault, int number, RandomGenerator random) {
    WorkerProcess worker = workers.get(number);
    switch (fault) {
      case KILL -> worker.child().kill();
      case STOP -> worker.child().pause();
      case DELAY -> {
        int millis = random.nextInt(LEAST_DELAY_MILLIS, MOST_DELAY_MILLIS);
        worker.proxy().orElseThrow().delay(Duration.ofMillis(millis));
      }
      case CUT -> worker.proxy().orElseThrow().set(Weather.CUT);
      case SILENT -> worker.proxy().orElseThrow().set(Weather.SILENT);
      case LOST_ANSWERS -> worker.proxy().orElseThrow().set(Weather.ANSWERS_LOST);
    }
  }

  @Override
  public void heal(Fault fault, int number, Duration limit) {
    WorkerProcess worker = workers.get(number);
    switch (fault) {
      case KILL -> worker.revive(limit);
      case STOP -> worker.child().resume();
      case DELAY -> worker.proxy().orElseThrow().delay(Duration.ZERO);
      case CUT, SILENT, LOST_ANSWERS -> clear(worker.proxy().orElseThrow());
    }
  }

  /** A connection that has lost bytes must not go on: TCP would never skip some. */
  private static void clear(FaultProxy proxy) {
    proxy.set(Weather.CUT);
    LockSupport.parkNanos(CLEARING.toNanos());
    proxy.set(Weather.CUT);
    proxy.set(Weather.CLEAR);
  }

  @Override
  public long executions() {
    return workers.stream().mapToLong(WorkerProcess::executions).sum();
  }

  @Override
  public void finish() {
    workers.forEach(WorkerProcess::askToEnd);
    workers.forEach(WorkerProcess::awaitEnd);
  }

  @Override
  public History history() {
    return FileRecorder.read(
        workers.stream()
            .flatMap(worker -> worker.histories().stream())
            .filter(Files::exists)
            .toList());
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
