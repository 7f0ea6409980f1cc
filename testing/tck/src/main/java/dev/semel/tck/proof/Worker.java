package dev.semel.tck.proof;

import dev.semel.idempotency.Store;
import dev.semel.tck.history.FileRecorder;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.util.function.Function;

/** A worker on a store, in a process of its own. */
public final class Worker {
  private Worker() {}

  /**
   * What the process's main does.
   *
   * @param opener opens the store that a URL names
   */
  public static void run(InputStream in, PrintStream out, Function<String, Store> opener)
      throws IOException {
    Supervised self = new Supervised(in, out);
    Orders orders = self.orders();
    try (Store store = opener.apply(orders.text("url"));
        FileRecorder recorder = new FileRecorder(orders.history(), orders.client())) {
      RunKeys keys =
          new RunKeys(orders.text("run"), self.ready(), orders.number("keys_per_second"));
      try (Asker asker = new Asker(keys, store, store.idempotency(), recorder)) {
        work(new Workload(asker, orders.client()), self);
      }
    }
  }

  private static void work(Workload workload, Supervised self) throws IOException {
    Orders orders = self.orders();
    Crew crew = new Crew(workload, orders.number("per_second"), orders.seed());
    try {
      self.untilEnd(workload::executions);
    } finally {
      crew.close();
    }
    self.last(workload.executions());
  }
}
