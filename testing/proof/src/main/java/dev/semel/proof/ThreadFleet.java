package dev.semel.proof;

import dev.semel.idempotency.spi.Store;
import dev.semel.proof.fault.FaultyRecords;
import dev.semel.proof.fault.ProcessFault;
import dev.semel.proof.history.History;
import dev.semel.proof.history.MemoryRecorder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

/** Workers as threads of this process, for a store that no other process can open. */
final class ThreadFleet implements WorkerFleet {
  private final Store store;
  private final ProofPlan plan;
  private final String run;
  private final List<Member> members = new ArrayList<>();
  private boolean finished;

  ThreadFleet(Store store, ProofPlan plan, String run) {
    this.store = store;
    this.plan = plan;
    this.run = run;
  }

  /** One worker. */
  private record Member(
      MemoryRecorder recorder,
      FaultyRecords way,
      RecordingExecutor asker,
      Workload workload,
      WorkerThreads crew) {}

  /** Does nothing: the workers share the open store. */
  @Override
  public void awaitReady() {}

  @Override
  public void go(long beganNanos) {
    RunKeys keys = plan.keys(run, beganNanos);
    for (int number = 0; number < plan.workers(); number++) {
      String client = name(number);
      MemoryRecorder recorder = new MemoryRecorder(client, System::nanoTime);
      FaultyRecords way = new FaultyRecords(store.idempotency());
      RecordingExecutor asker = new RecordingExecutor(keys, store, way, recorder);
      Workload workload = new Workload(asker, client);
      WorkerThreads crew = new WorkerThreads(workload, plan.perWorker(), plan.seedOf(number));
      members.add(new Member(recorder, way, asker, workload, crew));
    }
  }

  @Override
  public List<Integer> whom(ProcessFault fault) {
    return IntStream.range(0, plan.workers()).boxed().toList();
  }

  @Override
  public String name(int number) {
    return "worker-" + (number + 1);
  }

  @Override
  public String strike(ProcessFault fault, int number, RandomGenerator random) {
    members.get(number).way().strike(fault);
    return fault.ofTheNetwork() ? "store" : "";
  }

  @Override
  public void heal(ProcessFault fault, int number, Duration limit) {
    members.get(number).way().heal();
  }

  @Override
  public long executions() {
    return members.stream().mapToLong(member -> member.workload().executions()).sum();
  }

  @Override
  public void finish() {
    finished = true;
    members.forEach(member -> member.crew().end());
    members.forEach(member -> member.crew().close());
    members.forEach(member -> member.asker().close());
  }

  @Override
  public History history() {
    return MemoryRecorder.history(members.stream().map(Member::recorder).toList());
  }

  @Override
  public void close() {
    if (!finished) {
      members.forEach(member -> member.way().heal());
      finish();
    }
  }
}
