package dev.semel.job;

import dev.semel.Operation;
import dev.semel.StoreException;
import dev.semel.Token;
import dev.semel.event.Event;
import dev.semel.idempotency.ClaimResult;
import dev.semel.idempotency.EffectUnknown;
import dev.semel.idempotency.ExecutionPolicy;
import dev.semel.idempotency.Fingerprint;
import dev.semel.idempotency.Idempotency;
import dev.semel.idempotency.Outcome;
import dev.semel.idempotency.spi.ClaimRequest;
import dev.semel.idempotency.spi.RecordState;
import dev.semel.idempotency.spi.StoredRecord;
import dev.semel.log.internal.Log;
import dev.semel.loop.Platform;
import dev.semel.loop.internal.Backoff;
import dev.semel.loop.internal.Loop;
import dev.semel.loop.internal.LoopFailures;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Runs work once per slot of a schedule, and one slot at a time, among all processes that start a
 * cron of the same name on the same store. Every process wakes at each slot; the slot's key, such
 * as {@code report:2026-11-17T00:00Z}, decides which one runs it. So clocks that differ make a slot
 * early or late, but never run it twice.
 *
 * <p>The process that runs a slot holds a second key, {@code report:running}. Where that key is
 * taken, the {@link OverlapPolicy} decides. When a process dies, the leases of both keys end: then
 * its slot is in doubt or runs again, as the policy's takeover says, and the next slot gets its
 * turn in any case.
 *
 * <p>Closing it waits for a slot that runs here; it does not close the {@link Idempotency}.
 */
public final class Cron implements AutoCloseable {
  /**
   * A slot that no process could begin for this long is missed, unless {@code catchUp} is longer.
   */
  public static final Duration LATE = Duration.ofMinutes(1);

  /** How many slots back a starting process looks for waiting ones. */
  static final int MAX_LOOK_BACK = 10_000;

  private static final Duration LONGEST_POLL = Duration.ofSeconds(1);
  private static final Duration LONGEST_REST = Duration.ofSeconds(10);
  private static final Duration AFTER_TROUBLE = Duration.ofSeconds(1);

  /** A lost turn is noticed within this part of its lease. */
  private static final int LOOKS_PER_LEASE = 10;

  private static final Log LOG = Log.of("job", 10);

  private final Platform platform;
  private final String name;
  private final Idempotency idempotency;
  private final Operation operation;
  private final CronSchedule schedule;
  private final CronSettings settings;
  private final CronGate gate;
  private final CronRun run;
  private final LongAdder ran = new LongAdder();
  private final LongAdder told = new LongAdder();
  private final LongAdder skipped = new LongAdder();
  private final LongAdder replaced = new LongAdder();
  private final LongAdder failed = new LongAdder();
  private final Set<CronTurn> running = ConcurrentHashMap.newKeySet();

  /** Slots that were due and are not known to have ended, oldest first. */
  private final ConcurrentSkipListMap<Instant, Slot> pending = new ConcurrentSkipListMap<>();

  /** Slots up to this time have been noticed. */
  private Instant seen;

  private boolean lookedBack;
  private volatile boolean stopping;
  private volatile @Nullable Loop loop;

  /** A slot that was due, as the loop knows it. */
  private static final class Slot {
    final Instant at;

    /**
     * The same for each try at a turn, so that the store recognises a try whose answer was lost.
     */
    Token token = Token.draw();

    /** The store knows the slot: it was not missed. */
    boolean answered;

    boolean waiting;
    boolean reported;

    Slot(Instant at) {
      this.at = at;
    }
  }

  Cron(Platform platform, Idempotency idempotency, CronPlan plan) {
    this.platform = platform;
    this.idempotency = idempotency;
    this.operation = plan.operation();
    this.name = "semel-cron-" + operation.name();
    this.schedule = plan.schedule();
    this.settings = plan.settings();
    this.gate = new CronGate(idempotency.records(), operation);
    this.run = new CronRun(platform, idempotency, gate, plan);
    this.seen = platform.clock().instant().minus(settings.catchUp());
  }

  /** Starts at once: the first slot is the next one, or an earlier one to catch up on. */
  public static Cron start(
      Operation operation,
      CronSchedule schedule,
      CronSettings settings,
      Idempotency idempotency,
      CronWork work) {
    return start(Platform.REAL, operation, schedule, settings, idempotency, work);
  }

  /** Starts a cron on another platform than this machine: a simulated one. */
  public static Cron start(
      Platform platform,
      Operation operation,
      CronSchedule schedule,
      CronSettings settings,
      Idempotency idempotency,
      CronWork work) {
    Cron cron = new Cron(platform, idempotency, new CronPlan(operation, schedule, settings, work));
    cron.loop = Loop.startTimed(platform, cron.name, cron::turn, AFTER_TROUBLE);
    return cron;
  }

  /** The counts since the start. */
  public CronCounts counts() {
    return new CronCounts(
        ran.sum(), told.sum(), skipped.sum(), replaced.sum(), failed.sum(), running.size());
  }

  /** Checks everything once; returns how long to rest then. */
  long turn() {
    Instant now = platform.clock().instant();
    if (!stopping) {
      notice(now);
    }
    running.forEach(this::keep);
    if (stopping) {
      return poll().toNanos();
    }
    if (settings.overlap() != OverlapPolicy.SKIP && !lookedBack) {
      lookBack(now);
    }
    pending.values().forEach(this::decide);
    return rest(now);
  }

  private void keep(CronTurn turn) {
    if (turn.lost() || turn.ending()) {
      return;
    }
    try {
      Optional<Instant> later =
          settings.overlap() == OverlapPolicy.REPLACE ? dueAfter(turn.slot()) : Optional.empty();
      if (later.isPresent()) {
        turn.stopFor(later.get());
      } else if (!turn.renew() && turn.lost()) {
        idempotency
            .listener()
            .on(new Event.Fenced(gate.key(), CronGate.id(turn.slot()), 1, "renew"));
      }
    } catch (StoreException e) {
      LoopFailures.report(name, e); // if the store stays away, the turn is no longer held
    }
  }

  /**
   * A later slot that is due: by this clock, or because a process with another clock let it wait.
   */
  private Optional<Instant> dueAfter(Instant slot) {
    if (seen.isAfter(slot)) {
      return Optional.of(seen);
    }
    Instant next = schedule.next(slot);
    return gate.find(next).map(record -> next);
  }

  private ExecutionPolicy policy() {
    return idempotency.maintenance().settings().of(operation).over(settings.policy());
  }

  private Duration poll() {
    Duration part = policy().lease().dividedBy(LOOKS_PER_LEASE);
    return part.compareTo(LONGEST_POLL) < 0 ? part.plusMillis(1) : LONGEST_POLL;
  }

  private long rest(Instant now) {
    Duration next = Duration.between(now, schedule.next(now));
    Duration limit = pending.isEmpty() && running.isEmpty() ? LONGEST_REST : poll();
    return Math.max(1, (next.compareTo(limit) < 0 ? next : limit).toNanos());
  }

  /** Of slots that no process could begin, keeps only the newest, and only for a limited time. */
  private void notice(Instant now) {
    Instant newest = schedule.previous(now.plusNanos(1));
    if (newest.isAfter(seen)) {
      seen = newest;
      pending.values().removeIf(slot -> !slot.answered);
      pending.putIfAbsent(newest, new Slot(newest));
    }
    Duration longest = settings.catchUp().compareTo(LATE) < 0 ? LATE : settings.catchUp();
    Instant tooLate = now.minus(longest);
    pending.values().removeIf(slot -> !slot.answered && slot.at.isBefore(tooLate));
  }

  /** Finds slots that processes running at the time let wait: those slots have a record. */
  private void lookBack(Instant now) {
    Optional<Instant> last = gate.inside();
    if (last.isPresent()) {
      Instant slot = schedule.previous(now.plusNanos(1));
      for (int i = 0; i < MAX_LOOK_BACK && slot.isAfter(last.get()); i++) {
        if (gate.find(slot).filter(e -> e.state() == RecordState.RELEASED).isPresent()) {
          pending.putIfAbsent(slot, new Slot(slot));
        }
        slot = schedule.previous(slot);
      }
    }
    lookedBack = true;
  }

  private void decide(Slot slot) {
    if (running.stream().anyMatch(turn -> turn.slot().equals(slot.at))) {
      return;
    }
    Optional<StoredRecord> record = gate.find(slot.at);
    slot.waiting = record.filter(e -> e.state() == RecordState.RELEASED).isPresent();
    if (record.isPresent() && !isOpen(slot, record.get())) {
      return;
    }
    Optional<Instant> later = Optional.ofNullable(pending.higherKey(slot.at));
    switch (settings.overlap()) {
      case SKIP -> {
        if (slot.waiting && later.isPresent()) {
          pending.remove(slot.at); // released, and a later slot is due: that one runs
        } else {
          askForTurn(slot);
        }
      }
      case QUEUE -> {
        if (pending.lowerKey(slot.at) != null) {
          letWait(slot);
        } else if (!beganAfter(slot)) {
          askForTurn(slot);
        }
      }
      case REPLACE ->
          later.ifPresentOrElse(
              next -> skip(slot, CronGate.id(next) + " took its place", false),
              () -> askForTurn(slot));
    }
  }

  /** Whether the slot must still run: no process has settled it, and none runs it. */
  private boolean isOpen(Slot slot, StoredRecord record) {
    slot.answered = true;
    ExecutionPolicy policy = policy();
    ClaimRequest asked =
        new ClaimRequest(
            gate.key(slot.at),
            Token.draw(),
            Fingerprint.NONE,
            policy.lease(),
            policy.retention(),
            policy.takeover(),
            "");
    return switch (record.decide(asked)) {
      case StoredRecord.Decision.Take t -> true;
      case StoredRecord.Decision.Answer a -> {
        boolean inFlight = a.claim() instanceof ClaimResult.InFlight;
        if (!inFlight || !slot.reported) {
          idempotency.maintenance().reporter().answered(asked, a.claim());
          slot.reported = true;
        }
        if (!inFlight) {
          told.increment();
          pending.remove(slot.at);
        }
        yield false;
      }
    };
  }

  private void askForTurn(Slot slot) {
    ExecutionPolicy policy = policy();
    long asked = platform.nanos();
    ClaimResult answer = gate.ask(slot.at, slot.token, policy);
    slot.answered = true;
    switch (answer) {
      case ClaimResult.Granted g ->
          begin(
              slot,
              new CronTurn(
                  platform, gate, slot.at, new CronTurn.Grant(slot.token, policy.lease(), asked)));
      case ClaimResult.InFlight f -> occupied(slot, CronGate.slot(f.original().requestId()));
      case ClaimResult.Replay r -> throw noTurn();
      case ClaimResult.Failed f -> throw noTurn();
      case ClaimResult.Mismatch m -> throw noTurn();
      case ClaimResult.InDoubt d -> throw noTurn();
    }
  }

  private IllegalStateException noTurn() {
    return new IllegalStateException(gate.key() + " is a turn, which is given back and never ends");
  }

  /** Another slot runs, or another instance is about to run this one. */
  private void occupied(Slot slot, Instant inside) {
    if (inside.equals(slot.at)) {
      return;
    }
    String name = CronGate.id(inside);
    if (settings.overlap() == OverlapPolicy.SKIP) {
      skip(slot, name + " still runs", false);
    } else if (inside.isAfter(slot.at)) {
      skip(slot, name + " began before it", false);
    } else {
      letWait(slot); // with REPLACE, the running process sees this and stops its slot
    }
  }

  /** Where a later one has begun, this one has lost its place in the order. */
  private boolean beganAfter(Slot slot) {
    Optional<Instant> last = gate.inside().filter(inside -> inside.isAfter(slot.at));
    last.ifPresent(inside -> skip(slot, CronGate.id(inside) + " began before it", false));
    return last.isPresent();
  }

  private void letWait(Slot slot) {
    if (slot.waiting) {
      return;
    }
    long others = pending.headMap(slot.at).values().stream().filter(s -> s.waiting).count();
    if (others >= settings.maxWaiting() && settings.overlap() == OverlapPolicy.QUEUE) {
      skip(slot, others + " slots wait already, the limit (maxWaiting)", true);
      return;
    }
    try {
      run.letWait(slot.at); // the next look finds any answer in the record
    } catch (SlotWaiting e) {
      slot.waiting = true;
    }
    slot.answered = true;
  }

  private void skip(Slot slot, String why, boolean orWaits) {
    try {
      Outcome<String> outcome = run.skip(slot.at, why, orWaits);
      if (outcome instanceof Outcome.Failed<String> f && f.cause().isPresent()) {
        skipped.increment();
        pending.remove(slot.at);
      }
    } catch (SlotSkipped e) {
      pending.remove(slot.at); // the operation is switched off: nothing is recorded
    } catch (SlotWaiting e) {
      slot.waiting = true;
    }
    slot.answered = true;
  }

  private void begin(Slot slot, CronTurn turn) {
    slot.token = Token.draw(); // one token per turn, so that an old turn never holds a new one
    running.add(turn);
    if (stopping) { // since the claim: close() may have seen nothing running
      running.remove(turn);
      turn.giveBack();
      return;
    }
    platform.beside(
        "semel-cron",
        () -> {
          try {
            settle(slot, run.run(turn));
          } catch (SlotWaiting e) {
            // It has not begun: the next look decides.
          } catch (EffectUnknown | StoreException e) {
            // The record says in doubt, or nothing: the next look decides.
            boolean unused =
                LOG.warn(name, "how the run of %s ended is not known".formatted(gate.key()), e);
          } catch (Exception e) {
            failed.increment(); // and released, as an operator's setting says
            boolean unused = LOG.warn(name, "a run of %s failed".formatted(gate.key()), e);
          } finally {
            running.remove(turn);
            wake();
          }
        });
  }

  private void settle(Slot slot, Outcome<String> outcome) {
    switch (outcome) {
      case Outcome.Executed<String> e -> {
        ran.increment();
        pending.remove(slot.at);
      }
      case Outcome.Failed<String> f -> {
        LongAdder what =
            f.cause().isEmpty()
                ? told
                : f.cause().get() instanceof SlotReplaced ? replaced : failed;
        what.increment();
        pending.remove(slot.at);
      }
      case Outcome.Replayed<String> r -> {
        told.increment();
        pending.remove(slot.at);
      }
      case Outcome.InDoubt<String> d -> {
        told.increment();
        pending.remove(slot.at);
      }
      case Outcome.InFlight<String> f -> {}
      case Outcome.Mismatch<String> m -> pending.remove(slot.at);
    }
  }

  private void wake() {
    Loop woken = loop;
    if (woken != null) {
      woken.wake();
    }
  }

  /**
   * Begins no more slots, and waits for the one that runs here. If it does not end in time, it is
   * interrupted; if it still does not end, its leases do.
   */
  @Override
  public void close() {
    stopping = true;
    if (!awaitRunning(settings.stopWithin())) {
      running.forEach(CronTurn::interrupt);
      awaitRunning(LONGEST_POLL);
    }
    Loop ending = loop;
    if (ending != null) {
      ending.close();
    }
  }

  private boolean awaitRunning(Duration limit) {
    Backoff pauses = new Backoff(platform, Duration.ofMillis(1), Duration.ofMillis(50));
    long deadline = platform.nanos() + limit.toNanos();
    while (!running.isEmpty()) {
      if (!pauses.pauseUntil(deadline)) {
        return running.isEmpty();
      }
    }
    return true;
  }
}
