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
 * The child's side of a process in a proof. On standard input it reads its orders, then the moment
 * at which the run began, then the end signal; when the stream breaks off, the parent is gone, and
 * the child ends at once. On standard output it reports that it is ready, and then its progress.
 */
public final class SupervisedProcess {
  static final String READY = "ready";
  static final String END = "end";
  private static final Duration COUNTED_EVERY = Duration.ofMillis(300);

  private final BufferedReader lines;
  private final PrintStream out;
  private final WorkerOrders orders;

  /** Reads the orders. */
  public SupervisedProcess(InputStream in, PrintStream out) throws IOException {
    this.lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
    this.out = out;
    this.orders = WorkerOrders.parse(next());
    // Drivers unpack files here, so that they are deleted with the run's folder, even after a kill.
    System.setProperty("java.io.tmpdir", String.valueOf(orders.history().getParent()));
  }

  public WorkerOrders orders() {
    return orders;
  }

  /**
   * Reports that this process is ready.
   *
   * @return when all others are ready: the moment at which the run began
   */
  public long ready() throws IOException {
    say(READY);
    return Long.parseLong(next());
  }

  /**
   * Reports progress until the end signal arrives.
   *
   * @param done the progress so far
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

  /** Writes a whole line, because two threads write. */
  private synchronized void say(String line) {
    out.println(line);
    out.flush();
  }

  /** The final progress, from a process that went on after the end signal. */
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
