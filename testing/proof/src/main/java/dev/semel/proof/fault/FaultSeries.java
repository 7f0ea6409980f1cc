package dev.semel.proof.fault;

import dev.semel.proof.ProofProgress;
import dev.semel.proof.ProofWait;
import dev.semel.proof.StoreVerdict;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/**
 * The time in which workers make calls: one fault after another, each once before any repeats, and
 * healthy intervals in between.
 */
public final class FaultSeries {
  private static final Duration LOOK = Duration.ofMillis(200);
  private static final Duration SHORTEST_HEALTH = Duration.ofMillis(150);
  private static final Duration LONGEST_HEALTH = Duration.ofMillis(500);
  private static final Duration SHORTEST = Duration.ofMillis(300);
  private static final Duration LONGEST = Duration.ofMillis(800);

  /** How long a killed worker may take to come back. */
  private static final Duration REVIVAL = Duration.ofSeconds(30);

  private final FaultVictims victims;
  private final Duration length;
  private final Duration lease;
  private final List<ProcessFault> faults;
  private final Random random;
  private final ProofProgress progress;
  private final List<ProcessFault> next = new ArrayList<>();
  private final List<StoreVerdict.Injected> injected = new ArrayList<>();

  /**
   * @param length of the whole series
   * @param lease a frozen process stands still for longer than that
   */
  public FaultSeries(
      FaultVictims victims,
      Duration length,
      Duration lease,
      List<ProcessFault> faults,
      Random random,
      ProofProgress progress) {
    this.victims = victims;
    this.length = length;
    this.lease = lease;
    this.faults = faults;
    this.random = random;
    this.progress = progress;
  }

  /**
   * Runs the series.
   *
   * @return the faults, when the time is over and everything has healed
   */
  public List<StoreVerdict.Injected> run(long beganNanos) {
    long end = beganNanos + length.toNanos();
    while (healthy(end)) {
      injectNext(beganNanos, end);
    }
    if (injected.isEmpty()) { // without any fault a stalled machine would prove nothing
      injectNext(beganNanos, end);
    }
    return injected;
  }

  private void injectNext(long beganNanos, long end) {
    if (!faults.isEmpty()) {
      inject(draw(), beganNanos, end);
    }
  }

  private void inject(ProcessFault fault, long beganNanos, long end) {
    List<Integer> whom = victims.whom(fault);
    if (whom.isEmpty()) {
      return;
    }
    int worker = whom.get(random.nextInt(whom.size()));
    String name = victims.name(worker);
    long struck = System.nanoTime();
    String way = victims.strike(fault, worker, random);
    rest(length(fault), "%s: %s".formatted(name, fault.word()), end);
    victims.heal(fault, worker, REVIVAL);
    injected.add(
        new StoreVerdict.Injected(
            fault,
            name,
            way,
            Duration.ofNanos(struck - beganNanos),
            Duration.ofNanos(System.nanoTime() - struck)));
  }

  private ProcessFault draw() {
    if (next.isEmpty()) {
      next.addAll(faults);
      Collections.shuffle(next, random);
    }
    return next.remove(next.size() - 1);
  }

  private Duration length(ProcessFault fault) {
    return switch (fault) {
      case KILL -> Duration.ZERO;
      case STOP -> lease.plus(between(SHORTEST_HEALTH, LONGEST_HEALTH));
      case DELAY, CUT, SILENT, LOST_ANSWERS -> between(SHORTEST, LONGEST);
    };
  }

  private Duration between(Duration least, Duration most) {
    return Duration.ofMillis(random.nextLong(least.toMillis(), most.toMillis()));
  }

  /**
   * Waits through a healthy interval.
   *
   * @return false when the run's time ended first
   */
  private boolean healthy(long end) {
    Duration health = between(SHORTEST_HEALTH, LONGEST_HEALTH);
    Duration left = Duration.ofNanos(Math.max(0, end - System.nanoTime()));
    rest(left.compareTo(health) < 0 ? left : health, "healthy", end);
    return left.compareTo(health) >= 0;
  }

  private void rest(Duration length, String phase, long end) {
    long restEnd = System.nanoTime() + length.toNanos();
    for (long now = System.nanoTime(); now < restEnd; now = System.nanoTime()) {
      Duration left = Duration.ofNanos(Math.max(0, end - now));
      progress.at(phase, left, victims.executions(), injected.size());
      ProofWait.rest(Duration.ofNanos(Math.min(LOOK.toNanos(), restEnd - now)));
    }
  }
}
