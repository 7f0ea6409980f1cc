package dev.semel.proof.flow;

import dev.semel.StoreException;
import dev.semel.proof.FlowVerdict;
import dev.semel.proof.ProofPlan;
import dev.semel.proof.ProofProgress;
import dev.semel.proof.StoreVerdict;
import dev.semel.proof.WorkerOrders;
import dev.semel.proof.fault.FaultGate;
import dev.semel.proof.fault.FaultSeries;
import dev.semel.proof.fault.FaultyProcesses;
import dev.semel.proof.fault.ProcessFault;
import dev.semel.proof.fault.WorkerProcess;
import dev.semel.proof.flow.ProvedFlow.Member;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * One run of a {@link ProvedFlow}: its processes work while faults happen, everything heals,
 * writers end, their messages arrive, and a judge checks everything. For one thread.
 */
public final class FlowProof {
  private final ProofPlan plan;
  private final Path folder;
  private final ProofProgress progress;

  /**
   * Prepares a run.
   *
   * @param folder for the processes' notes and logs
   */
  public FlowProof(ProofPlan plan, Path folder, ProofProgress progress) {
    this.plan = plan;
    this.folder = folder;
    this.progress = progress;
  }

  /**
   * Runs the flow. Its owner closes it.
   *
   * @throws StoreException when a service is unreachable at the beginning
   */
  public FlowVerdict run(ProvedFlow flow) {
    Instant began = Instant.now();
    Map<ProcessFault, String> leftOut = flow.leftOut(plan.faults());
    List<ProcessFault> faults =
        plan.faults().stream().filter(f -> !leftOut.containsKey(f)).toList();
    progress.at("starting processes", Duration.ZERO, 0, 0);
    try (FaultyProcesses processes = new FaultyProcesses()) {
      List<WorkerProcess> writers = start(flow, faults, processes);
      List<String> before = flow.hazards();
      FaultSeries series =
          new FaultSeries(
              processes, plan.length(), flow.lease(), faults, new Random(plan.seed()), progress);
      long beganNanos = System.nanoTime();
      processes.go(beganNanos);
      List<StoreVerdict.Injected> injected = series.run(beganNanos);
      tell("letting writers finish", processes, injected);
      processes.finish(writers);
      tell("waiting until everything has arrived", processes, injected);
      flow.settle(progress);
      processes.finish(processes.all());
      tell("judging what happened", processes, injected);
      FlowJudgement judgement = flow.judge(ProcessNotes.read(processes.histories()));
      return new FlowVerdict(
          flow.about(),
          plan,
          began,
          beganNanos,
          injected,
          leftOut,
          judgement,
          StoreVerdict.Hazards.between(before, flow.hazards()));
    }
  }

  private void tell(String phase, FaultyProcesses processes, List<StoreVerdict.Injected> injected) {
    progress.at(phase, Duration.ZERO, processes.executions(), injected.size());
  }

  /**
   * Starts one server after another, then everything else at once.
   *
   * @return the writers
   */
  private List<WorkerProcess> start(
      ProvedFlow flow, List<ProcessFault> faults, FaultyProcesses processes) {
    List<WorkerProcess> writers = new ArrayList<>();
    boolean network = faults.stream().anyMatch(ProcessFault::ofTheNetwork);
    int number = 0;
    for (Member member : flow.members(plan)) {
      WorkerProcess process = start(member, network, plan.seedOf(number));
      processes.add(process);
      switch (member.duty()) {
        case SERVES -> process.awaitReady(); // others connect to it when they start
        case CARRIES -> {}
        case WRITES -> writers.add(process);
      }
      number++;
    }
    processes.awaitReady();
    return writers;
  }

  private WorkerProcess start(Member member, boolean network, long seed) {
    List<FaultGate> gates = new ArrayList<>();
    Map<String, String> words = new LinkedHashMap<>(member.words());
    if (network) {
      for (ProvedFlow.Way way : member.ways()) {
        FaultGate gate = FaultGate.before(way.to(), way.address());
        gates.add(gate);
        words.put(way.word(), way.through().apply(gate.address()));
      }
    }
    WorkerOrders orders =
        WorkerOrders.of(member.name(), folder.resolve(member.name() + ".jsonl"), seed).with(words);
    return new WorkerProcess(orders, member.main(), gates);
  }
}
