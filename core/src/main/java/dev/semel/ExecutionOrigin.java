package dev.semel;

import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/**
 * What the work on this thread follows from: the key of the execution that runs, or the message
 * that is handled. Messages that are added meanwhile take it over, as far as they say nothing
 * themselves, so that people can follow one thing from end to end. Nothing is ever decided by it.
 *
 * <p>Whoever runs work binds it, for as long as the work runs and on its thread only. Work that
 * goes on elsewhere takes it along: {@code ExecutionOrigin.current().carry(task)}.
 */
public final class ExecutionOrigin {
  /** Nothing is known. */
  public static final ExecutionOrigin NONE = new ExecutionOrigin("", "", "", "", "");

  /**
   * The only static state there is; decision 015 says why. When the outermost work ends it is null
   * again, so that a pool's thread keeps nothing of it; removing it would cost twice the time.
   */
  @SuppressWarnings("ThreadLocalUsage")
  private static final ThreadLocal<ExecutionOrigin> BOUND = new ThreadLocal<>();

  /** Of the execution, whose text is made only if someone asks; else the text is known. */
  private final @Nullable Key execution;

  private final String key;
  private final String causationId;
  private final String correlationId;
  private final String traceParent;
  private final String traceState;

  /**
   * What a message says of itself; empty: it does not.
   *
   * @param key of the execution, as text
   * @param causationId of the message that is handled
   * @param correlationId of everything that belongs together
   * @param traceParent W3C trace context
   * @param traceState the vendors' part of it
   */
  public ExecutionOrigin(
      String key, String causationId, String correlationId, String traceParent, String traceState) {
    this.execution = null;
    this.key = key;
    this.causationId = causationId;
    this.correlationId = correlationId;
    this.traceParent = traceParent;
    this.traceState = traceState;
  }

  private ExecutionOrigin(Key execution, ExecutionOrigin outer) {
    this.execution = execution;
    this.key = "";
    this.causationId = outer.causationId;
    this.correlationId = outer.correlationId;
    this.traceParent = outer.traceParent;
    this.traceState = outer.traceState;
  }

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
  public static ExecutionOrigin current() {
    ExecutionOrigin bound = BOUND.get();
    return bound == null ? NONE : bound;
  }

  /** An execution of this key, within whatever is under way. */
  public static ExecutionOrigin of(Key key) {
    return new ExecutionOrigin(key, current());
  }

  /** Of the execution, as text; empty: none is known, as with each of these. */
  public String key() {
    return execution == null ? key : execution.text();
  }

  /** Of the message that is handled. */
  public String causationId() {
    return causationId;
  }

  public String correlationId() {
    return correlationId;
  }

  public String traceParent() {
    return traceParent;
  }

  public String traceState() {
    return traceState;
  }

  /** Runs the body within it, and afterwards all is as it was. */
  public <T, X extends Exception> T call(Body<T, X> body) throws X {
    ExecutionOrigin outer = BOUND.get();
    BOUND.set(this);
    try {
      return body.call();
    } finally {
      BOUND.set(outer);
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
