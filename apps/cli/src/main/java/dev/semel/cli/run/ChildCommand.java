package dev.semel.cli.run;

import dev.semel.cli.Environment;
import dev.semel.cli.StandardStreams;
import dev.semel.loop.internal.Loop;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * A command, first waiting to be let go, then running. It has our standard input; what it writes is
 * passed on as it comes, byte for byte, and its beginning is kept.
 *
 * <p>It dies with this process, however that ends, and its group with it: the script that becomes
 * the command has another one watch a pipe that only this process holds open.
 */
final class ChildCommand implements AutoCloseable {
  private static final int CHUNK = 16 << 10;

  /**
   * A process that the command left behind in the background may hold its output open for ever:
   * once the command ended, a stream that stays silent this long is taken as ended. Long, because
   * on a machine under load the reader may only be slow, and what it has not read is lost.
   */
  private static final Duration SILENCE = Duration.ofSeconds(5);

  private final Process process;
  private final SupervisorPipe lifeline;
  private final Pump out;
  private final Pump err;

  private ChildCommand(
      Process process, SupervisorPipe lifeline, StandardStreams streams, int maxOutput) {
    this.process = process;
    this.lifeline = lifeline;
    this.out = new Pump(process.getInputStream(), streams.out(), maxOutput);
    this.err = new Pump(process.getErrorStream(), streams.err(), maxOutput);
  }

  /**
   * Starts a process that becomes the command when it is let go, and ends when it is closed before.
   *
   * @param variables added to our own environment
   * @throws IOException when no process can be started
   */
  static ChildCommand prepare(
      GuardedCommand command, Map<String, String> variables, Environment around, int maxOutput)
      throws IOException {
    ProcessBuilder builder = new ProcessBuilder();
    builder.redirectInput(ProcessBuilder.Redirect.INHERIT);
    builder.environment().putAll(variables);
    CallerLocale.restore(builder.environment());
    SupervisorPipe lifeline = SupervisorPipe.open();
    try {
      lifeline.hold(builder, command, around);
      return new ChildCommand(builder.start(), lifeline, around.streams(), maxOutput);
    } catch (IOException e) {
      lifeline.close();
      throw e;
    }
  }

  /** The process that is or becomes the command. */
  ProcessHandle handle() {
    return process.toHandle();
  }

  /** Lets it become the command. */
  ChildCommand go(int attempt) throws IOException {
    lifeline.go(attempt);
    Loop.beside("semel-stdout", out);
    Loop.beside("semel-stderr", err);
    return this;
  }

  /**
   * Waits until it ended and its output has been passed on.
   *
   * @throws IOException when it could not become the command
   */
  RunResult await() throws IOException, InterruptedException {
    int exitCode = process.waitFor();
    boolean began = lifeline.ended();
    out.finish();
    err.finish();
    if (!began) {
      throw new IOException("the process ended before it became the command");
    }
    return new RunResult(exitCode, out.recorder.captured(), err.recorder.captured());
  }

  /** It is not needed, or has ended. */
  @Override
  public void close() {
    lifeline.close();
  }

  /**
   * Asks it to end, and waits until it did.
   *
   * @param grace it may have been asked already, and gets this long before it is asked again
   */
  RunResult stop(Duration grace) throws IOException, InterruptedException {
    if (!process.waitFor(grace.toMillis(), TimeUnit.MILLISECONDS)) {
      // By its handle: the process itself would drop what the command still has to say.
      boolean unused = process.toHandle().destroy();
    }
    return await();
  }

  /** Carries one stream from the command to ours. */
  private static final class Pump implements Runnable {
    private final InputStream from;
    private final PrintStream to;
    private final CapturedOutput.Recorder recorder;
    private final CountDownLatch ended = new CountDownLatch(1);
    private volatile boolean writing;

    Pump(InputStream from, PrintStream to, int maxOutput) {
      this.from = from;
      this.to = to;
      this.recorder = new CapturedOutput.Recorder(maxOutput);
    }

    @Override
    public void run() {
      byte[] chunk = new byte[CHUNK];
      try {
        for (int count = from.read(chunk); count >= 0; count = from.read(chunk)) {
          writing = true;
          recorder.add(chunk, count);
          to.write(chunk, 0, count); // never throws: if nobody reads, the command still runs on
          to.flush();
          writing = false;
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      } finally {
        ended.countDown();
      }
    }

    void finish() throws InterruptedException {
      long seen = recorder.total();
      while (!ended.await(SILENCE.toMillis(), TimeUnit.MILLISECONDS)) {
        if (!writing && recorder.total() == seen) {
          return;
        }
        seen = recorder.total();
      }
    }
  }
}
