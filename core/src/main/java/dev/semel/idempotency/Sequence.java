package dev.semel.idempotency;

import dev.semel.FirstExecution;
import dev.semel.InvalidInput;
import dev.semel.Key;
import dev.semel.StoreException;
import dev.semel.Token;
import dev.semel.idempotency.internal.ClaimAnswer;
import dev.semel.idempotency.internal.ClaimQuestion;
import dev.semel.idempotency.internal.DecisionReporter;
import dev.semel.idempotency.internal.ExecutionContext;
import dev.semel.idempotency.internal.HeldKey;
import dev.semel.idempotency.internal.KeyClaimer;
import dev.semel.idempotency.internal.LeaseRenewals;
import dev.semel.idempotency.internal.NeverFinal;
import dev.semel.idempotency.spi.ClaimRequest;
import dev.semel.idempotency.spi.IdempotencyStore;
import dev.semel.idempotency.spi.RecordState;
import dev.semel.idempotency.spi.StoredRecord;
import dev.semel.loop.Platform;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;

/**
 * Executes the steps of a subject in order, each once: a user's second withdrawal starts when the
 * first one succeeded or failed, never beside it.
 *
 * <p>Each subject has a gate: a separate record that names the step inside. A step that died leaves
 * the gate shut: whether the next may start depends on how that step ended, so callers get {@link
 * Outcome.InDoubt} until its record says so (completed by a retry, or released by an operator).
 */
public final class Sequence {
  /** Longest id of a step: the gate's record names the step that is inside. */
  public static final int MAX_STEP_ID_BYTES = ClaimRequest.MAX_REQUEST_ID_BYTES;

  private static final String GATE = "~gate~";
  private static final FirstExecution NOBODY =
      new FirstExecution("", 1, Duration.ZERO, Duration.ZERO);

  private final Idempotency idempotency;
  private final IdempotencyStore store;
  private final DecisionReporter reporter;
  private final LeaseRenewals renewals;
  private final Platform platform;

  Sequence(Idempotency idempotency, ExecutionContext context, LeaseRenewals renewals) {
    this.idempotency = idempotency;
    this.store = context.store();
    this.reporter = context.reporter();
    this.platform = context.platform();
    this.renewals = renewals;
  }

  /** The gate was lost before the step began: nothing was done. */
  private static final class TurnLost extends RuntimeException implements NeverFinal {
    private static final long serialVersionUID = 1L;
    private final transient FirstExecution inside;

    TurnLost(FirstExecution inside) {
      super("the turn was lost before the step began", null, false, false);
      this.inside = inside;
    }
  }

  /**
   * Executes the step when no other step of the subject runs. {@link Outcome.InFlight} and {@link
   * Outcome.InDoubt} name the blocking step as the original's request id.
   */
  public <T, X extends Exception> Outcome<T> execute(
      String subject, ExecutionRequest<T> step, Work<T, X> work) throws X {
    if (step.key().id().getBytes(StandardCharsets.UTF_8).length > MAX_STEP_ID_BYTES) {
      throw new InvalidInput("a step's id is at most %d bytes".formatted(MAX_STEP_ID_BYTES));
    }
    ExecutionPolicy policy = idempotency.settings().of(step.key().operation()).over(step.policy());
    return executeAs(subject, step.withPolicy(policy), work);
  }

  private <T, X extends Exception> Outcome<T> executeAs(
      String subject, ExecutionRequest<T> step, Work<T, X> work) throws X {
    Optional<ClaimResult> ended = ended(step);
    if (ended.isPresent()) {
      return Idempotency.answered(step, ended.get()); // a retry of an old step needs no turn
    }
    long asked = platform.nanos();
    Key gate = new Key(step.key().tenant(), step.key().operation(), GATE + subject);
    ClaimRequest turn = turn(gate, step, TakeoverPolicy.IN_DOUBT);
    ClaimResult answer = store.claim(turn);
    if (answer instanceof ClaimResult.InDoubt inDoubt && isOver(step, inDoubt)) {
      turn = turn(gate, step, TakeoverPolicy.RUN_AGAIN);
      answer = store.claim(turn);
    }
    if (!(answer instanceof ClaimResult.Granted granted)) {
      reporter.answered(turn, answer);
      return Idempotency.answered(step, answer);
    }
    return inside(
        step,
        new HeldKey(platform, ClaimAnswer.of(turn, answer, asked), granted, step.policy()),
        work);
  }

  private static ClaimRequest turn(Key gate, ExecutionRequest<?> step, TakeoverPolicy takeover) {
    ExecutionPolicy policy = step.policy();
    return new ClaimRequest(
        gate,
        Token.draw(),
        Fingerprint.NONE,
        policy.lease(),
        policy.retention(),
        takeover,
        step.key().id());
  }

  private Optional<ClaimResult> ended(ExecutionRequest<?> step) {
    Optional<StoredRecord> known = store.find(step.key()).filter(e -> e.state().ended());
    if (known.isEmpty()) {
      return Optional.empty();
    }
    ClaimQuestion question = ClaimQuestion.of(step, Token.draw());
    ClaimRequest claim = question.inOlderForm(known.get().fingerprint()).orElse(question).claim();
    return switch (known.get().decide(claim)) {
      case StoredRecord.Decision.Answer a -> {
        reporter.answered(claim, a.claim());
        yield Optional.of(a.claim());
      }
      case StoredRecord.Decision.Take t -> Optional.empty();
    };
  }

  /**
   * Whether the step that was inside when the gate's lease ended can no longer run. A step first
   * claims its own record and then confirms that it still has the gate. So a step without a record
   * in flight never began, has ended, or will find the gate lost.
   */
  private boolean isOver(ExecutionRequest<?> step, ClaimResult.InDoubt gate) {
    String inside = gate.original().requestId();
    boolean itself = inside.equals(step.key().id());
    Key key = new Key(step.key().tenant(), step.key().operation(), inside);
    boolean inFlight =
        store.find(key).filter(record -> record.state() == RecordState.IN_FLIGHT).isPresent();
    return !inFlight || (itself && step.policy().takeover() == TakeoverPolicy.RUN_AGAIN);
  }

  private <T, X extends Exception> Outcome<T> inside(
      ExecutionRequest<T> step, HeldKey gate, Work<T, X> work) throws X {
    renewals.add(gate);
    boolean open = false;
    try {
      Outcome<T> outcome = idempotency.execute(atOnce(step), holding(gate, work));
      // An end that was not recorded may still be found out; until then no step may follow. Attempt
      // 0 ran unguarded, as the operation's mode says: nothing is recorded, so there is nothing to
      // find out.
      open =
          !(outcome instanceof Outcome.Executed<T> executed)
              || executed.recorded()
              || executed.attempt() == 0;
      return outcome;
    } catch (TurnLost e) {
      return new Outcome.InFlight<>(gate.lease(), e.inside);
    } catch (EffectUnknown e) {
      leaveInDoubt(gate, e);
      throw e;
    } catch (Exception e) {
      open = true;
      throw e;
    } finally {
      renewals.remove(gate);
      if (open) {
        release(gate);
      }
    }
  }

  /** Inside the gate the step does not wait. */
  private static <T> ExecutionRequest<T> atOnce(ExecutionRequest<T> step) {
    return step.withPolicy(step.policy().withWaitUpTo(Duration.ZERO));
  }

  private <T, X extends Exception> Work<T, X> holding(HeldKey gate, Work<T, X> work) {
    return execution -> {
      if (!store.renew(gate.key(), gate.token(), gate.lease())) {
        throw new TurnLost(store.find(gate.key()).map(StoredRecord::original).orElse(NOBODY));
      }
      return work.run(execution);
    };
  }

  /**
   * Keeps the next steps out, and lets their callers see in doubt at once instead of at the end of
   * the lease.
   */
  private void leaveInDoubt(HeldKey gate, EffectUnknown cause) {
    try {
      KeyClaimer.giveBack(store, gate.key(), gate.token(), true);
    } catch (StoreException e) {
      cause.addSuppressed(e);
      reporter.storeFailed(gate.key(), gate.requestId(), "release", e);
    }
  }

  /** If the gate can't be opened now, the next caller finds that the step inside is over. */
  private void release(HeldKey gate) {
    try {
      store.release(gate.key(), gate.token());
    } catch (StoreException e) {
      reporter.storeFailed(gate.key(), gate.requestId(), "release", e);
    }
  }
}
