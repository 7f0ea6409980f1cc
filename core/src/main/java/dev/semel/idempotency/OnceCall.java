package dev.semel.idempotency;

import dev.semel.Key;
import dev.semel.StoreException;
import dev.semel.idempotency.internal.LaterWork;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One operation under one key, about to be executed once. Each method returns a new call; {@link
 * #run}, {@link #call} and {@link #runAsync} execute it.
 *
 * <pre>{@code
 * Outcome<String> outcome =
 *     semel.once("payment", "order-123").request(body).run(execution -> charge(execution.effectKey()));
 * }</pre>
 */
public final class OnceCall<T> {
  private final GuardedExecutor executor;
  private final Function<Connection, GuardedExecutor> joining;
  private final ExecutionRequest<T> request;

  private OnceCall(
      GuardedExecutor executor,
      Function<Connection, GuardedExecutor> joining,
      ExecutionRequest<T> request) {
    this.executor = executor;
    this.joining = joining;
    this.request = request;
  }

  /**
   * A call with everything at its default, whose result is text.
   *
   * @param joining executes in the transaction of a connection instead
   */
  public static OnceCall<String> of(
      Key key, GuardedExecutor executor, Function<Connection, GuardedExecutor> joining) {
    return new OnceCall<>(executor, joining, ExecutionRequest.of(key, Codec.utf8()));
  }

  private OnceCall<T> with(ExecutionRequest<T> changed) {
    return new OnceCall<>(executor, joining, changed);
  }

  private OnceCall<T> with(ExecutionPolicy policy) {
    return with(request.withPolicy(policy));
  }

  /** What is asked for: the same key with another request is a {@link Outcome.Mismatch}. */
  public OnceCall<T> request(byte[] body) {
    return fingerprint(Fingerprint.of(body));
  }

  /** The same for text. */
  public OnceCall<T> request(String body) {
    return request(body.getBytes(StandardCharsets.UTF_8));
  }

  /** The same for a request whose parts say what it is; see {@link Fingerprinters}. */
  public OnceCall<T> fingerprint(Fingerprint fingerprint) {
    return with(request.withFingerprint(fingerprint));
  }

  /** The caller's own name for this request, shown to duplicates. */
  public OnceCall<T> requestId(String id) {
    return with(request.withRequestId(id));
  }

  /** The form of the result, which is stored and replayed; text unless said otherwise. */
  public <R> OnceCall<R> returning(Codec<R> codec) {
    return new OnceCall<>(
        executor,
        joining,
        ExecutionRequest.of(request.key(), codec)
            .withFingerprints(request.fingerprints())
            .withPolicy(request.policy())
            .withRequestId(request.requestId()));
  }

  /** All of lease, retention, wait, takeover and failures at once. */
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
   * How long a duplicate waits for the first one's result before it is {@link Outcome.InFlight}.
   */
  public OnceCall<T> waitUpTo(Duration wait) {
    return with(request.policy().withWaitUpTo(wait));
  }

  /**
   * Executes within the caller's transaction on this connection, whoever opened it: the record
   * commits or rolls back with everything else there, and what is answered is true once the caller
   * has committed. What the work throws is thrown on after its writes were undone; nothing else of
   * the transaction is.
   *
   * <p>The connection must be to the database of the store, with automatic commits off.
   *
   * @throws dev.semel.InvalidInput the store can't join a transaction
   */
  public OnceCall<T> in(Connection connection) {
    ExecutionPolicy alone =
        request.policy().withOnFailure(FailurePolicy.RELEASE).withWaitUpTo(Duration.ZERO);
    return new OnceCall<>(joining.apply(connection), joining, request.withPolicy(alone));
  }

  /**
   * Runs the work unless it was done before. What the work throws is thrown on, and a retry runs,
   * unless the policy calls the failure final.
   *
   * @throws StoreException when the store can't be asked; the work has not run
   */
  public Outcome<T> run(Function<Execution, T> work) {
    return executor.<T, RuntimeException>execute(request, work::apply);
  }

  /** The same for work that throws checked exceptions. */
  public Outcome<T> call(Work<T, Exception> work) throws Exception {
    return executor.execute(request, work);
  }

  /**
   * The same for work whose result comes later: it begins on this thread, once the claim is
   * granted, and the claim is held until the work's stage ends. What became of it, also what it
   * threw, is told by the stage that is returned.
   */
  public CompletionStage<Outcome<T>> runAsync(
      Function<Execution, @Nullable CompletionStage<T>> work) {
    return LaterWork.<T, Outcome<T>>stage(
        request.key(), begun -> executor.execute(request, begun), work::apply);
  }
}
