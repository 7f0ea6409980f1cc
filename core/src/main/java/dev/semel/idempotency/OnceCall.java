package dev.semel.idempotency;

import dev.semel.InvalidInput;
import dev.semel.Key;
import dev.semel.StoreException;
import dev.semel.idempotency.internal.LaterWork;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One call of an operation under a key, before it is executed. Each method returns a new call;
 * {@link #run}, {@link #perform}, {@link #call} and {@link #runAsync} execute it.
 *
 * <pre>{@code
 * Outcome<String> outcome =
 *     semel.once("payment", "order-123").request(body).run(execution -> charge(execution.effectKey()));
 * }</pre>
 */
public final class OnceCall<T> {
  /** How other callers are kept out while the work runs. */
  private enum Guard {
    LEASE,
    SEQUENCE,
    TRANSACTION
  }

  private final Idempotency idempotency;
  private final Function<Connection, GuardedExecutor> joining;
  private final GuardedExecutor executor;
  private final Guard guard;
  private final ExecutionRequest<T> request;

  private OnceCall(
      Idempotency idempotency,
      Function<Connection, GuardedExecutor> joining,
      GuardedExecutor executor,
      Guard guard,
      ExecutionRequest<T> request) {
    this.idempotency = idempotency;
    this.joining = joining;
    this.executor = executor;
    this.guard = guard;
    this.request = request;
  }

  /**
   * A call with default settings and a text result.
   *
   * @param joining executes in the transaction of a connection instead
   */
  public static OnceCall<String> of(
      Key key, Idempotency idempotency, Function<Connection, GuardedExecutor> joining) {
    return new OnceCall<>(
        idempotency, joining, idempotency, Guard.LEASE, ExecutionRequest.of(key, Codec.utf8()));
  }

  private OnceCall<T> with(ExecutionRequest<T> changed) {
    return new OnceCall<>(idempotency, joining, executor, guard, changed);
  }

  private OnceCall<T> with(ExecutionPolicy policy) {
    return with(request.withPolicy(guard == Guard.TRANSACTION ? joined(policy) : policy));
  }

  /** In a transaction, waiting would keep it open, and its rollback would undo a stored failure. */
  private static ExecutionPolicy joined(ExecutionPolicy policy) {
    return policy.withOnFailure(FailurePolicy.RELEASE).withWaitUpTo(Duration.ZERO);
  }

  /** The request's body: the same key with another body is a {@link Outcome.Mismatch}. */
  public OnceCall<T> request(byte[] body) {
    return fingerprint(Fingerprint.of(body));
  }

  /** The request's body as text; another text under this key is a {@link Outcome.Mismatch}. */
  public OnceCall<T> request(String body) {
    return request(body.getBytes(StandardCharsets.UTF_8));
  }

  /**
   * A fingerprint of the request, where only parts of it count: see {@link Fingerprinters}. Another
   * fingerprint under this key is a {@link Outcome.Mismatch}.
   */
  public OnceCall<T> fingerprint(Fingerprint fingerprint) {
    return with(request.withFingerprint(fingerprint));
  }

  /** The caller's name for this request, shown to duplicates. */
  public OnceCall<T> requestId(String id) {
    return with(request.withRequestId(id));
  }

  /** The codec of the result, which is stored and replayed; default: text. */
  public <R> OnceCall<R> returning(Codec<R> codec) {
    return new OnceCall<>(
        idempotency,
        joining,
        executor,
        guard,
        ExecutionRequest.of(request.key(), codec)
            .withFingerprints(request.fingerprints())
            .withPolicy(request.policy())
            .withRequestId(request.requestId()));
  }

  /** Sets lease, retention, wait, takeover and failures at once. */
  public OnceCall<T> policy(ExecutionPolicy policy) {
    return with(policy);
  }

  /** How long the claim holds without renewal; it is renewed while the work runs. */
  public OnceCall<T> lease(Duration lease) {
    return with(request.policy().withLease(lease));
  }

  /** How long the result is kept for duplicates. */
  public OnceCall<T> retention(Duration retention) {
    return with(request.policy().withRetention(retention));
  }

  /**
   * How long a duplicate waits for the first one's result; then it gets {@link Outcome.InFlight}.
   */
  public OnceCall<T> waitUpTo(Duration wait) {
    return with(request.policy().withWaitUpTo(wait));
  }

  /**
   * Makes this a step of a subject, such as a customer: each step runs once, and the next begins
   * only after the last one ended. See {@link Sequence}.
   *
   * @throws InvalidInput the call joins a transaction already
   */
  public OnceCall<T> inSequence(String subject) {
    requireLease("be a step of a sequence");
    Sequence sequence = idempotency.sequence();
    GuardedExecutor steps =
        new GuardedExecutor() {
          @Override
          public <R, X extends Exception> Outcome<R> execute(
              ExecutionRequest<R> step, Work<R, X> work) throws X {
            return sequence.execute(subject, step, work);
          }
        };
    return new OnceCall<>(idempotency, joining, steps, Guard.SEQUENCE, request);
  }

  /**
   * Executes within the caller's transaction on this connection, whatever opened it: the record
   * commits or rolls back with everything else in it, and the outcome holds once the caller has
   * committed. If the work throws, its writes are undone, the rest of the transaction stays, and
   * the exception passes through to the caller.
   *
   * <p>The connection must be to the database of the store, with automatic commits off. Within the
   * transaction, duplicates don't wait and failures are not stored, whatever the policy says.
   *
   * @throws InvalidInput the store can't join a transaction, or this is a step of a sequence
   */
  public OnceCall<T> inTransaction(Connection connection) {
    requireLease("join a transaction");
    return new OnceCall<>(
        idempotency,
        joining,
        joining.apply(connection),
        Guard.TRANSACTION,
        request.withPolicy(joined(request.policy())));
  }

  private void requireLease(String what) {
    if (guard != Guard.LEASE) {
      throw new InvalidInput(
          "this call can't %s: it is %s already"
              .formatted(
                  what, guard == Guard.SEQUENCE ? "a step of a sequence" : "in a transaction"));
    }
  }

  /**
   * Runs the work unless it was done before. The work's exception passes through to the caller, and
   * a retry runs, unless the policy calls the failure final.
   *
   * @throws StoreException when the store does not answer; the work has not run
   */
  public Outcome<T> run(Function<Execution, T> work) {
    return executor.<T, RuntimeException>execute(request, work::apply);
  }

  /**
   * Runs work that has no result, unless it was done before; otherwise as {@link #run}. The codec
   * does not matter.
   *
   * @throws StoreException when the store does not answer; the work has not run
   */
  @SuppressWarnings("NullAway") // null is the only value of Void
  public Outcome<Void> perform(Consumer<Execution> work) {
    return returning(Codec.nothing())
        .run(
            execution -> {
              work.accept(execution);
              return null;
            });
  }

  /**
   * Runs work that throws checked exceptions, unless it was done before; otherwise as {@link #run}.
   *
   * @throws Exception what the work threw
   * @throws StoreException when the store does not answer; the work has not run
   */
  public Outcome<T> call(Work<T, Exception> work) throws Exception {
    return executor.execute(request, work);
  }

  /**
   * Runs asynchronous work unless it was done before. The claim is held and renewed until the
   * work's stage completes; the stage's result is recorded and replayed.
   *
   * <p>Returns at once: a virtual thread asks the store, waits where a duplicate has to, and starts
   * the work. The returned stage completes with the outcome, or with the exception that {@link
   * #run} would throw:
   *
   * <ul>
   *   <li>An exception of the work or of its stage is a failure as in {@link #run}: the key is
   *       released and a retry runs, or the failure is stored, by the policy.
   *   <li>A cancelled or timed-out stage does not say whether its work took effect, so the
   *       operation is in doubt ({@link EffectUnknown}).
   *   <li>A stage that never completes keeps its key until {@link ExecutionPolicy#maxHold} is over.
   *   <li>Returning null instead of a stage means a null result.
   *   <li>Cancelling the returned stage stops nothing.
   * </ul>
   *
   * @throws InvalidInput in a caller's transaction, which would end before the work does
   */
  public CompletionStage<Outcome<T>> runAsync(
      Function<Execution, @Nullable CompletionStage<T>> work) {
    if (guard == Guard.TRANSACTION) {
      throw new InvalidInput(
          "work whose result comes later can't be in a caller's transaction, which belongs to one thread and may end before the work does: call run(…), or leave inTransaction(connection) out");
    }
    return LaterWork.<T, Outcome<T>>beside(begun -> executor.execute(request, begun), work::apply);
  }
}
