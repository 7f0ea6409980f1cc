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
 * A command that waits for its start, and then runs. It has our standard input. Its output is
 * passed on as it comes, byte for byte, and the beginning is kept.
 *
 * <p>The command and its process group end with this process, however that ends: the script that
 * becomes the command starts a watcher, which reads a pipe that only this process holds open.
 */
final class ChildCommand implements AutoCloseable {
  private static final int CHUNK = 16 << 10;

  /**
   * A background process that the command left behind may hold its output open forever. So once the
   * command has ended, a stream that is silent this long counts as ended. It is long because the
   * reader may be slow on a loaded machine, and unread output is lost.
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
   * Starts a process that becomes the command on {@link #go}, and ends if it is closed before.
   *
   * @param variables added to our environment
   * @throws IOException no process can be started
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

  /** The process that is, or will become, the command. */
  ProcessHandle handle() {
    return process.toHandle();
  }

  /** Makes the process become the command. */
  ChildCommand go(int attempt) throws IOException {
    lifeline.go(attempt);
    Loop.beside("semel-stdout", out);
    Loop.beside("semel-stderr", err);
    return this;
  }

  /**
   * Waits until the command has ended and its output is passed on.
   *
   * @throws IOException the process could not become the command
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

  /** Called when it is not needed, or has ended. */
  @Override
  public void close() {
    lifeline.close();
  }

  /**
   * Asks the command to end, and waits until it has.
   *
   * @param grace how long to wait first, because the command may have been asked already
   */
  RunResult stop(Duration grace) throws IOException, InterruptedException {
    if (!process.waitFor(grace.toMillis(), TimeUnit.MILLISECONDS)) {
      // By its handle: the Process object would drop the output that is still to come.
      boolean unused = process.toHandle().destroy();
    }
    return await();
  }

  /** Copies one of the command's streams to ours. */
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
          to.write(chunk, 0, count); // never throws: without a reader, the command still runs on
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
