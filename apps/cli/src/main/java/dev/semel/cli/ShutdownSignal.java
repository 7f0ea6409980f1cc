package dev.semel.cli;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import org.jline.utils.Signals;

/** Tells a listening command when to stop. */
public interface ShutdownSignal {
  /** Signals to this process. */
  ShutdownSignal OF_PROCESS = new OfProcess();

  /** Kind of a request to stop. */
  enum Request {
    /** By Ctrl-C: a person waits for the end. */
    INTERRUPT,
    TERMINATE
  }

  /**
   * Waits for the first request; later ones change nothing.
   *
   * @param ready called once requests are noticed
   */
  Request await(Runnable ready) throws InterruptedException;

  /** Ends the process at once, without closing anything. */
  void abort(int code);

  /** Handles signals instead of the JVM, which would start its shutdown. */
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

    /**
     * Keeps ignoring a signal that the process was started to ignore, for example in the
     * background.
     */
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
