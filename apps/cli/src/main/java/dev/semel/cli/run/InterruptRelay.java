package dev.semel.cli.run;

import dev.semel.cli.ExitCode;
import dev.semel.cli.StandardStreams;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Passes an interrupt of this process (Ctrl-C, a request to terminate) on to the command, waits for
 * its end, and ends the process as a crash would. Nothing is recorded, because nobody knows whether
 * an interrupted command took effect.
 */
final class InterruptRelay implements AutoCloseable {
  /**
   * The terminal sends Ctrl-C to the command as well; a second signal makes some commands drop
   * their work.
   */
  private static final Duration GRACE_ON_TERMINAL = Duration.ofSeconds(1);

  /**
   * The same signal may end the command and be noticed there first. So a command that ended by a
   * signal is recorded only if no signal reaches us within this time.
   */
  private static final Duration SETTLE = Duration.ofMillis(300);

  private static final Duration LONGEST_RECORDING = Duration.ofSeconds(30);
  private static final int ENDED_BY_SIGNAL = 128;

  private final StandardStreams streams;
  private final Consumer<RunResult> onStopped;
  private final Thread hook;
  private final CountDownLatch signal = new CountDownLatch(1);
  private final CountDownLatch closed = new CountDownLatch(1);
  private @Nullable ChildCommand child;
  private boolean signalled;
  private boolean ended;

  private InterruptRelay(StandardStreams streams, Consumer<RunResult> onStopped) {
    this.streams = streams;
    this.onStopped = onStopped;
    this.hook = Thread.ofPlatform().name("semel-interrupt").unstarted(this::interrupted);
  }

  /**
   * Starts watching.
   *
   * @param onStopped gets the result of a command that was stopped
   */
  static InterruptRelay watch(StandardStreams streams, Consumer<RunResult> onStopped) {
    InterruptRelay interrupts = new InterruptRelay(streams, onStopped);
    Runtime.getRuntime().addShutdownHook(interrupts.hook);
    return interrupts;
  }

  /** Starts the command. */
  interface Start {
    ChildCommand start() throws IOException;
  }

  /** Runs the command; does not return if this process is interrupted first. */
  RunResult run(Start start) throws IOException, InterruptedException {
    RunResult result = started(start).await();
    if (result.exitCode() > ENDED_BY_SIGNAL) {
      boolean unused = signal.await(SETTLE.toMillis(), TimeUnit.MILLISECONDS);
    }
    if (!endedByItself()) {
      awaitEnd();
    }
    return result;
  }

  /**
   * Holds the lock, so that an interrupt finds a command that it can stop, or none that will still
   * start.
   */
  private synchronized ChildCommand started(Start start) throws IOException {
    if (signalled) {
      awaitEnd();
    }
    child = start.start();
    return child;
  }

  private synchronized boolean endedByItself() {
    ended = !signalled;
    return ended;
  }

  private void interrupted() {
    ChildCommand running;
    boolean recording;
    synchronized (this) {
      signalled = true;
      running = child;
      recording = ended;
    }
    signal.countDown();
    try {
      if (recording) {
        boolean unused = closed.await(LONGEST_RECORDING.toMillis(), TimeUnit.MILLISECONDS);
      } else if (running != null) {
        boolean terminal =
            streams.inIsTerminal() || streams.outIsTerminal() || streams.errIsTerminal();
        onStopped.accept(running.stop(terminal ? GRACE_ON_TERMINAL : Duration.ZERO));
      }
    } catch (IOException e) {
      // It was stopped before it became the command: nothing ran, so there is nothing to report.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    streams.flush();
    Runtime.getRuntime().halt(ExitCode.INTERRUPTED);
  }

  /** Stops watching. If the process is already ending, the hook decides how. */
  @Override
  public void close() {
    closed.countDown();
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      awaitEnd();
    }
  }

  /** Waits forever: the hook ends the process. */
  private static void awaitEnd() {
    try {
      new CountDownLatch(1).await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
