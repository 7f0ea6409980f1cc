package dev.semel.cli;

import java.util.concurrent.CountDownLatch;

/** How a command that listens learns that it must stop, and how it ends. */
public interface ShutdownSignal {
  /** A signal to this process requests it; the process ends in a shutdown hook. */
  ShutdownSignal OF_PROCESS = new OfProcess();

  /** Stops what listens. */
  @FunctionalInterface
  interface Stop {
    /**
     * Lets requests finish and closes everything.
     *
     * @param interrupted by Ctrl-C: someone waits for the end
     * @return the exit code
     */
    int stop(boolean interrupted);
  }

  /**
   * Waits for the request to stop, and stops.
   *
   * @param ready called as soon as a request to stop would be noticed
   * @return the exit code, where this is not the end of the process
   */
  int await(Runnable ready, Stop stop) throws InterruptedException;

  /** Ends at once: nothing is closed. */
  void abort(int code);

  /** The shutdown of a JVM. */
  final class OfProcess implements ShutdownSignal {
    /** As the JVM names the thread on which it ends the process after Ctrl-C. */
    private static final String INTERRUPTED = "SIGINT handler";

    private OfProcess() {}

    @Override
    public int await(Runnable ready, Stop stop) throws InterruptedException {
      Runtime.getRuntime()
          .addShutdownHook(
              Thread.ofPlatform()
                  .name("semel-stop")
                  .unstarted(() -> Runtime.getRuntime().halt(stop.stop(interrupted()))));
      ready.run();
      new CountDownLatch(1).await(); // the process ends in the hook
      return ExitCode.OK;
    }

    @Override
    public void abort(int code) {
      Runtime.getRuntime().halt(code);
    }

    /** Which signal it was the JVM tells nobody, but it names a thread after it. */
    private static boolean interrupted() {
      return Thread.getAllStackTraces().keySet().stream()
          .anyMatch(thread -> thread.getName().equals(INTERRUPTED));
    }
  }
}
