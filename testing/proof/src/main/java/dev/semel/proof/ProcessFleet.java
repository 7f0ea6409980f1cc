package dev.semel.proof;

import dev.semel.proof.fault.FaultGate;
import dev.semel.proof.fault.FaultyProcesses;
import dev.semel.proof.fault.ProcessFault;
import dev.semel.proof.fault.WorkerProcess;
import dev.semel.proof.history.FileRecorder;
import dev.semel.proof.history.History;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.random.RandomGenerator;

/** Workers as processes, each with a separate proxy to the store where possible. */
final class ProcessFleet implements WorkerFleet {
  private final FaultyProcesses processes = new FaultyProcesses();

  /**
   * Starts the workers.
   *
   * @param folder for histories and logs
   */
  ProcessFleet(
      ProofTarget.Processes target, boolean network, ProofPlan plan, String run, Path folder) {
    for (int number = 0; number < plan.workers(); number++) {
      List<FaultGate> gates =
          network
              ? target.address().map(to -> FaultGate.before("store", to)).stream().toList()
              : List.of();
      String client = "worker-" + (number + 1);
      WorkerOrders orders =
          WorkerOrders.of(client, folder.resolve(client + ".jsonl"), plan.seedOf(number))
              .with("url", url(target, gates))
              .with("run", run)
              .with("keys_per_second", Integer.toString(plan.keysPerSecond()))
              .with("per_second", Integer.toString(plan.perWorker()));
      processes.add(new WorkerProcess(orders, target.main(), gates));
    }
  }

  private static String url(ProofTarget.Processes target, List<FaultGate> gates) {
    return gates.isEmpty() ? target.url() : target.through().apply(gates.get(0).address());
  }

  @Override
  public void awaitReady() {
    processes.awaitReady();
  }

  @Override
  public void go(long beganNanos) {
    processes.go(beganNanos);
  }

  @Override
  public List<Integer> whom(ProcessFault fault) {
    return processes.whom(fault);
  }

  @Override
  public String name(int number) {
    return processes.name(number);
  }

  @Override
  public String strike(ProcessFault fault, int number, RandomGenerator random) {
    return processes.strike(fault, number, random);
  }

  @Override
  public void heal(ProcessFault fault, int number, Duration limit) {
    processes.heal(fault, number, limit);
  }

  @Override
  public long executions() {
    return processes.executions();
  }

  @Override
  public void finish() {
    processes.finish(processes.all());
    processes.all().forEach(WorkerProcess::requireSuccess);
  }

  @Override
  public History history() {
    return FileRecorder.read(processes.histories());
  }

  @Override
  public void close() {
    processes.close();
  }
}
