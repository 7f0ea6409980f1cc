package dev.semel.cli;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import org.jline.utils.Signals;

/** How a command that listens learns that it must stop. */
public interface ShutdownSignal {
  /** Signals to this process. */
  ShutdownSignal OF_PROCESS = new OfProcess();

  /** What was asked for. */
  enum Request {
    /** By Ctrl-C: someone waits for the end. */
    INTERRUPT,
    TERMINATE
  }

  /**
   * Waits for the first request. Later ones change nothing.
   *
   * @param ready called as soon as a request would be noticed
   */
  Request await(Runnable ready) throws InterruptedException;

  /** Ends the process at once: nothing is closed. */
  void abort(int code);

  /** Handles signals in place of the JVM, which would begin to end the process. */
  final class OfProcess implements ShutdownSignal {
    private OfProcess() {}

    @Override
    public Request await(Runnable ready) throws InterruptedException {
      BlockingQueue<Request> requests = new ArrayBlockingQueue<>(1);
      handle("INT", requests, Request.INTERRUPT);
      handle("TERM", requests, Request.TERMINATE);
      handle("HUP", requests, Request.TERMINATE);
      ready.run();
      return requests.take();
    }

    /** A signal that the process was started to ignore, in the background for example, stays so. */
    private static void handle(String signal, BlockingQueue<Request> requests, Request request) {
      Runnable offer =
          () -> {
            boolean unused = requests.offer(request);
          };
      Object unused = Signals.register(signal, offer);
    }

    @Override
    public void abort(int code) {
      Runtime.getRuntime().halt(code);
    }
  }
}
