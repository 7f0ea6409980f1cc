package dev.semel.proof;

import dev.semel.idempotency.spi.Store;
import dev.semel.proof.fault.SupervisedProcess;
import dev.semel.proof.history.FileRecorder;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.util.function.Function;

/** A worker on a store, in a separate process. */
public final class ProofWorker {
  private ProofWorker() {}

  /**
   * The worker's main method.
   *
   * @param opener opens a store by its URL
   */
  public static void run(InputStream in, PrintStream out, Function<String, Store> opener)
      throws IOException {
    SupervisedProcess self = new SupervisedProcess(in, out);
    WorkerOrders orders = self.orders();
    try (Store store = opener.apply(orders.text("url"));
        FileRecorder recorder = new FileRecorder(orders.history(), orders.client())) {
      RunKeys keys =
          new RunKeys(orders.text("run"), self.ready(), orders.number("keys_per_second"));
      try (RecordingExecutor asker =
          new RecordingExecutor(keys, store, store.idempotency(), recorder)) {
        work(new Workload(asker, orders.client()), self);
      }
    }
  }

  private static void work(Workload workload, SupervisedProcess self) throws IOException {
    WorkerOrders orders = self.orders();
    WorkerThreads crew = new WorkerThreads(workload, orders.number("per_second"), orders.seed());
    try {
      self.untilEnd(workload::executions);
    } finally {
      crew.close();
    }
    self.last(workload.executions());
  }
}
