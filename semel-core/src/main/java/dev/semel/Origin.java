package dev.semel;

import java.util.concurrent.Callable;

/**
 * What the work on this thread follows from: the key of the execution that runs, or the message
 * that is handled. Messages that are added meanwhile take it over, as far as they say nothing
 * themselves, so that people can follow one thing from end to end. Nothing is ever decided by it.
 *
 * <p>Whoever runs work binds it, for as long as the work runs and on its thread only. Work that
 * goes on elsewhere takes it along: {@code Origin.current().carry(task)}.
 *
 * @param key of the execution, as text; empty: none is known, as with each of these
 * @param causationId of the message that is handled
 * @param correlationId of everything that belongs together
 * @param traceParent W3C trace context
 * @param traceState the vendors' part of it
 */
public record Origin(
    String key, String causationId, String correlationId, String traceParent, String traceState) {
  /** Nothing is known. */
  public static final Origin NONE = new Origin("", "", "", "", "");

  /**
   * The only static state there is; decision 015 says why. It is removed when the outermost work
   * ends, so that a pool's thread keeps nothing of it.
   */
  @SuppressWarnings("ThreadLocalUsage")
  private static final ThreadLocal<Origin> BOUND = new ThreadLocal<>();

  /** Something with a result that runs within it. */
  @FunctionalInterface
  public interface Body<T, X extends Exception> {
    T call() throws X;
  }

  /** Something that runs within it. */
  @FunctionalInterface
  public interface Step<X extends Exception> {
    void run() throws X;
  }

  /** Of the work on this thread; {@link #NONE} outside of any. */
  public static Origin current() {
    Origin bound = BOUND.get();
    return bound == null ? NONE : bound;
  }

  /** An execution of this key, within whatever is under way. */
  public static Origin of(Key key) {
    Origin outer = current();
    return new Origin(
        key.text(), outer.causationId, outer.correlationId, outer.traceParent, outer.traceState);
  }

  /** Runs the body within it, and afterwards all is as it was. */
  public <T, X extends Exception> T call(Body<T, X> body) throws X {
    Origin outer = BOUND.get();
    BOUND.set(this);
    try {
      return body.call();
    } finally {
      if (outer == null) {
        BOUND.remove();
      } else {
        BOUND.set(outer);
      }
    }
  }

  /** The same without a result. */
  public <X extends Exception> void run(Step<X> step) throws X {
    this.<Boolean, X>call(
        () -> {
          step.run();
          return true;
        });
  }

  /** A task that runs within it, on whichever thread. */
  public <T> Callable<T> carry(Callable<T> task) {
    return () -> this.<T, Exception>call(task::call);
  }
}
