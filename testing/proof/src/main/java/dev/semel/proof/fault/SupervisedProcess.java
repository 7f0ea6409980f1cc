package dev.semel.proof.fault;

import dev.semel.loop.internal.Loop;
import dev.semel.proof.WorkerOrders;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * A process of a proof, as it hears and tells. On standard input it gets its orders, then the
 * moment when the run began, then the word to end; when that stream breaks off, whoever started it
 * is gone, and it ends at once. On standard output it says when it is ready, then how far it is.
 */
public final class SupervisedProcess {
  static final String READY = "ready";
  static final String END = "end";
  private static final Duration COUNTED_EVERY = Duration.ofMillis(300);

  private final BufferedReader lines;
  private final PrintStream out;
  private final WorkerOrders orders;

  /** Hears its orders. */
  public SupervisedProcess(InputStream in, PrintStream out) throws IOException {
    this.lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
    this.out = out;
    this.orders = WorkerOrders.parse(next());
    // What a driver unpacks goes with the run's folder, even when this process is killed.
    System.setProperty("java.io.tmpdir", String.valueOf(orders.history().getParent()));
  }

  public WorkerOrders orders() {
    return orders;
  }

  /** Says that it can begin, and returns when all others can: the moment when the run began. */
  public long ready() throws IOException {
    say(READY);
    return Long.parseLong(next());
  }

  /**
   * Returns when it is to end; until then it tells how far it is.
   *
   * @param done how much it did so far
   */
  public void untilEnd(LongSupplier done) throws IOException {
    Loop counts =
        Loop.start(
            "semel-count",
            () -> {
              say(Long.toString(done.getAsLong()));
              return false;
            },
            COUNTED_EVERY);
    try {
      String word = next();
      if (!word.equals(END)) {
        throw new IllegalStateException("a worker was told " + word);
      }
    } finally {
      counts.close();
    }
  }

  /** Whole lines: two threads write them. */
  private synchronized void say(String line) {
    out.println(line);
    out.flush();
  }

  /** For who has finished after it was told to. */
  public void last(long done) {
    say(Long.toString(done));
  }

  private String next() throws IOException {
    String line = lines.readLine();
    if (line == null) {
      Runtime.getRuntime().halt(1);
      throw new IllegalStateException("halted");
    }
    return line;
  }
}
