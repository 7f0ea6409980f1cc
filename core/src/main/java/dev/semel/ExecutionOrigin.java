package dev.semel;

import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/**
 * What the work on this thread follows from: the key of the running execution, or the message that
 * is being handled. Messages added during the work take it over where they name nothing else, so
 * that people can follow one request from end to end. No decision depends on it.
 *
 * <p>Code that runs work binds the origin to the thread for the duration of the work. To use it on
 * another thread, wrap the task: {@code ExecutionOrigin.current().carry(task)}.
 */
public final class ExecutionOrigin {
  /** No origin is known. */
  public static final ExecutionOrigin NONE = new ExecutionOrigin("", "", "", "", "");

  /**
   * The only static state in the project; decision 015 says why. When the outermost work ends it is
   * null again, so that a pool's thread keeps nothing of it; removing it would cost twice the time.
   */
  @SuppressWarnings("ThreadLocalUsage")
  private static final ThreadLocal<ExecutionOrigin> BOUND = new ThreadLocal<>();

  /**
   * Set for an execution, so that its text is made only when it is asked for; else {@code key}
   * holds it.
   */
  private final @Nullable Key execution;

  private final String key;
  private final String causationId;
  private final String correlationId;
  private final String traceParent;
  private final String traceState;

  /**
   * The origin that a message names; an empty text means unknown.
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

  /** Code with a result that runs within an origin. */
  @FunctionalInterface
  public interface Body<T, X extends Exception> {
    T call() throws X;
  }

  /** Code without a result that runs within an origin. */
  @FunctionalInterface
  public interface Step<X extends Exception> {
    void run() throws X;
  }

  /** The origin of the work on this thread; {@link #NONE} outside of any work. */
  public static ExecutionOrigin current() {
    ExecutionOrigin bound = BOUND.get();
    return bound == null ? NONE : bound;
  }

  /**
   * The origin of an execution of this key; the rest comes from the work that this thread runs now.
   */
  public static ExecutionOrigin of(Key key) {
    return new ExecutionOrigin(key, current());
  }

  /** The key of the execution, as text. Like each of these, empty when unknown. */
  public String key() {
    return execution == null ? key : execution.text();
  }

  /** The id of the message that is being handled. */
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

  /** Runs the body with this origin on the thread, then restores the previous one. */
  public <T, X extends Exception> T call(Body<T, X> body) throws X {
    ExecutionOrigin outer = BOUND.get();
    BOUND.set(this);
    try {
      return body.call();
    } finally {
      BOUND.set(outer);
    }
  }

  /**
   * Runs a step without a result with this origin on the thread, then restores the previous one.
   */
  public <X extends Exception> void run(Step<X> step) throws X {
    this.<Boolean, X>call(
        () -> {
          step.run();
          return true;
        });
  }

  /** A task that runs with this origin on whichever thread executes it. */
  public <T> Callable<T> carry(Callable<T> task) {
    return () -> this.<T, Exception>call(task::call);
  }
}
