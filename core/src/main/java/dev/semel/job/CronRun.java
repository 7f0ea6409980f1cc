package dev.semel.job;

import dev.semel.StoreException;
import dev.semel.idempotency.Codec;
import dev.semel.idempotency.EffectUnknown;
import dev.semel.idempotency.Execution;
import dev.semel.idempotency.ExecutionRequest;
import dev.semel.idempotency.Idempotency;
import dev.semel.idempotency.Outcome;
import dev.semel.loop.Platform;
import dev.semel.loop.internal.Backoff;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** Executes slots under their own keys, and inside a turn where there is work to do. */
final class CronRun {
  private static final String RAN = "ran";
  private static final Duration FIRST_PAUSE = Duration.ofMillis(1);
  private static final Duration LONGEST_PAUSE = Duration.ofMillis(500);

  private final Platform platform;
  private final Idempotency idempotency;
  private final CronGate gate;
  private final CronWork work;
  private final CronSettings settings;

  CronRun(Platform platform, Idempotency idempotency, CronGate gate, CronPlan plan) {
    this.platform = platform;
    this.idempotency = idempotency;
    this.gate = gate;
    this.work = plan.work();
    this.settings = plan.settings();
  }

  /**
   * Records that the slot will never run.
   *
   * @param orWaits true: but not if another process has let it wait
   * @throws SlotWaiting another process has let it wait
   */
  Outcome<String> skip(Instant slot, String why, boolean orWaits) {
    return idempotency.execute(
        request(slot),
        execution -> {
          if (orWaits && execution.attempt() > 1) {
            throw new SlotWaiting();
          }
          throw new SlotSkipped(why);
        });
  }

  /**
   * Leaves a record that says that the slot waits.
   *
   * @throws SlotWaiting the slot waits now
   */
  Outcome<String> letWait(Instant slot) {
    return idempotency.execute(
        request(slot),
        execution -> {
          throw new SlotWaiting();
        });
  }

  /** Runs the slot in its turn, and then gives the turn back. */
  Outcome<String> run(CronTurn turn) throws Exception {
    try {
      return idempotency.execute(request(turn.slot()), execution -> inTurn(turn, execution));
    } finally {
      turn.giveBack();
    }
  }

  private ExecutionRequest<String> request(Instant slot) {
    return ExecutionRequest.of(gate.key(slot), Codec.utf8()).withPolicy(settings.policy());
  }

  private String inTurn(CronTurn turn, Execution execution) throws Exception {
    turn.begin();
    try {
      if (!stillHas(turn)) {
        throw new SlotWaiting(); // the turn was lost before the work began
      }
      work.run(turn.slot(), new SlotExecution(execution, turn));
    } catch (SlotWaiting | EffectUnknown e) {
      throw e;
    } catch (Exception e) {
      if (turn.lost()) {
        throw replaced(turn);
      }
      throw e;
    } finally {
      turn.end();
    }
    if (settings.overlap() == OverlapPolicy.REPLACE) {
      confirm(turn);
    }
    return RAN;
  }

  /** A failure of the store before the work began does not end the slot. */
  private static boolean stillHas(CronTurn turn) {
    try {
      return !turn.lost() && turn.renew();
    } catch (StoreException e) {
      return false;
    }
  }

  /** A replaceable slot ended successfully only if it still had its turn at the end. */
  private void confirm(CronTurn turn) {
    Backoff pauses = new Backoff(platform, FIRST_PAUSE, LONGEST_PAUSE);
    while (true) {
      try {
        if (!turn.lost() && turn.release()) {
          return;
        }
        throw replaced(turn);
      } catch (StoreException e) {
        if (!pauses.pauseUntil(turn.leaseEnd())) {
          throw new EffectUnknown("it ran, but whether its turn was still its own is unknown", e);
        }
      }
    }
  }

  private SlotReplaced replaced(CronTurn turn) {
    return new SlotReplaced(
        turn.successor()
            .or(this::inside)
            .map(slot -> "replaced by " + CronGate.id(slot))
            .orElse("another slot took its turn"));
  }

  private Optional<Instant> inside() {
    try {
      return gate.inside();
    } catch (StoreException e) {
      return Optional.empty();
    }
  }
}
