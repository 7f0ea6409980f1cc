package dev.semel.cli.demo;

import dev.semel.Key;
import dev.semel.cli.demo.DemoStories.Ending;
import dev.semel.cli.demo.DemoStories.Side;
import dev.semel.event.SemelListener;
import dev.semel.idempotency.Codec;
import dev.semel.idempotency.Fingerprint;
import dev.semel.idempotency.Idempotency;
import dev.semel.idempotency.KeyStrategies;
import dev.semel.idempotency.Outcome;
import dev.semel.idempotency.SchedulePeriod;
import dev.semel.internal.Ids;
import dev.semel.json.Json;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.Optional;

/** Story: a nightly report that takes longer than its slot, in the crontab of two machines. */
final class CronOverlap {
  private static final Instant FIRST_NIGHT = Instant.parse("2026-11-15T02:00:00Z");
  private static final Instant AN_HOUR_LATER = Instant.parse("2026-11-15T03:00:00Z");
  private static final Instant NEXT_NIGHT = Instant.parse("2026-11-16T02:00:00Z");
  private static final int NIGHTS = 2;

  private final Narrator narrator;

  /** One for each machine; they share only the store. */
  private final Idempotency machineA;

  private final Idempotency machineB;
  private final String report = "report-" + Ids.uuid7();
  private final EffectTally without = new EffectTally("report", "reports");
  private final EffectTally with = new EffectTally("report", "reports");

  private CronOverlap(Narrator narrator, Idempotency machineA, Idempotency machineB) {
    this.narrator = narrator;
    this.machineA = machineA;
    this.machineB = machineB;
  }

  static Ending play(DemoStage stage) throws InterruptedException {
    try (Idempotency machineA = new Idempotency(stage.store(), SemelListener.NONE);
        Idempotency machineB = new Idempotency(stage.store(), SemelListener.NONE)) {
      return new CronOverlap(stage.narrator(), machineA, machineB).play();
    }
  }

  private Ending play() throws InterruptedException {
    narrator.aside("A report is to be mailed each night. Its key is made of its date:");
    narrator.aside("  " + key(FIRST_NIGHT));
    narrator.step("02:00. Cron starts it on machine A. There is a lot to report …");
    PausedExecution running =
        PausedExecution.begin("machine-a", middle -> run(machineA, FIRST_NIGHT, middle));
    narrator.beside("A  at work", "A  at work");
    narrator.step("02:00 on machine B, which has the same crontab.");
    narrator.beside("B  at work too", "B  " + told(run(machineB, FIRST_NIGHT, () -> {})));
    narrator.step("03:00. A second slot, in case the first one failed. A is still at it.");
    narrator.beside("A  at work twice", "A  " + told(run(machineA, AN_HOUR_LATER, () -> {})));
    narrator.aside("In flight: the date has its report in the making, wherever that is.");
    narrator.step("04:00. The report is ready.");
    Outcome<String> first = running.goOn();
    narrator.beside("A  " + mailed(without.happens()), "A  " + told(first));
    narrator.beside("B  " + mailed(without.happens()), "");
    narrator.beside("A  " + mailed(without.happens()), "");
    narrator.step("The next night, machine B is first. Another date, another key.");
    narrator.beside(
        "B  " + mailed(without.happens()), "B  " + told(run(machineB, NEXT_NIGHT, () -> {})));
    narrator.beside(
        "A  " + mailed(without.happens()), "A  " + told(run(machineA, NEXT_NIGHT, () -> {})));
    return new Ending(
        "In the manager's mailbox:",
        side(without),
        side(with),
        with.count() == NIGHTS,
        Optional.of(key(FIRST_NIGHT)));
  }

  private Key key(Instant now) {
    return Key.of(
        "demo",
        KeyStrategies.<String>dateBased(
                name -> name, SchedulePeriod.DAY, ZoneOffset.UTC, InstantSource.fixed(now))
            .keying(report)
            .id());
  }

  private Outcome<String> run(Idempotency machine, Instant now, Runnable middle) {
    return machine.execute(
        key(now),
        Fingerprint.NONE,
        Codec.utf8(),
        execution -> {
          middle.run();
          return mailed(with.happens());
        });
  }

  private static String mailed(int number) {
    return "report %d mailed".formatted(number);
  }

  private static Side side(EffectTally tally) {
    return new Side(
        "%s for %d nights".formatted(tally.text(), NIGHTS),
        Json.object().with("reports", tally.count()).with("nights", NIGHTS).build());
  }

  private static String told(Outcome<String> outcome) {
    return switch (outcome) {
      case Outcome.Executed<String> e -> e.result();
      case Outcome.Replayed<String> r -> "replayed: " + r.result();
      case Outcome.InFlight<String> f -> "in flight: leaves it";
      case Outcome.Mismatch<String> m -> "mismatch: leaves it";
      case Outcome.Failed<String> f -> "failed: " + f.failure().message();
      case Outcome.InDoubt<String> d -> "in doubt: leaves it";
    };
  }
}
