package dev.semel.tck.proof;

import dev.semel.idempotency.Store;
import dev.semel.loop.Loop;
import dev.semel.tck.history.FileRecorder;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.function.Function;

/**
 * A worker in a process of its own. On standard input it gets its orders, then the moment when the
 * run began, then the word to end; when that stream breaks off, whoever started it is gone, and it
 * ends at once. On standard output it says when the store is open, then how far it is.
 */
public final class Worker {
  static final String READY = "ready";
  static final String END = "end";
  private static final Duration COUNTED_EVERY = Duration.ofMillis(300);

  private Worker() {}

  /**
   * What the process's main does.
   *
   * @param opener opens the store that a URL names
   */
  public static void run(InputStream in, PrintStream out, Function<String, Store> opener)
      throws IOException {
    BufferedReader lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
    WorkerOrders orders = WorkerOrders.parse(next(lines));
    // What a driver unpacks goes with the run's folder, even when this process is killed.
    System.setProperty("java.io.tmpdir", String.valueOf(orders.history().getParent()));
    try (Store store = opener.apply(orders.url());
        FileRecorder recorder = new FileRecorder(orders.history(), orders.client())) {
      say(out, READY);
      RunKeys keys = new RunKeys(orders.run(), Long.parseLong(next(lines)), orders.keysPerSecond());
      try (Asker asker = new Asker(keys, store, store.idempotency(), recorder)) {
        work(new Workload(asker, orders.client()), orders, lines, out);
      }
    }
  }

  private static void work(
      Workload workload, WorkerOrders orders, BufferedReader lines, PrintStream out)
      throws IOException {
    Crew crew = new Crew(workload, orders.perSecond(), orders.seed());
    Loop counts = Loop.start("semel-count", () -> count(workload, out), COUNTED_EVERY, e -> {});
    try {
      String word = next(lines);
      if (!word.equals(END)) {
        throw new IllegalStateException("a worker was told " + word);
      }
    } finally {
      counts.close();
      crew.close();
    }
    say(out, Long.toString(workload.executions()));
  }

  private static boolean count(Workload workload, PrintStream out) {
    say(out, Long.toString(workload.executions()));
    return false;
  }

  /** Whole lines: two threads write them. */
  private static synchronized void say(PrintStream out, String line) {
    out.println(line);
    out.flush();
  }

  private static String next(BufferedReader lines) throws IOException {
    String line = lines.readLine();
    if (line == null) {
      Runtime.getRuntime().halt(1);
      throw new IllegalStateException("halted");
    }
    return line;
  }
}
