package dev.semel.proof.history;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * Checks that work takes effect once, or that a repeated run knew that it might be one: no attempt
 * twice, and a second effect only where takeovers are allowed, and only in a run that knew of its
 * takeover.
 *
 * <p>Work that took effect and then failed released its key, and so declared that it had no effect:
 * a run after it is not a violation.
 */
final class EffectsOnce implements HistoryChecker {
  private final Duration tolerance;

  EffectsOnce(Duration tolerance) {
    this.tolerance = tolerance;
  }

  @Override
  public String promise() {
    return "one effect per key, or a warning before the next";
  }

  @Override
  public List<Violation> check(History history) {
    return KeyHistory.of(history).stream().flatMap(this::check).toList();
  }

  private Stream<Violation> check(KeyHistory key) {
    long keptUntil = key.keptUntilNanos(tolerance);
    List<RecordedEffect> effects =
        key.effects().stream()
            .filter(effect -> effect.atNanos() < keptUntil)
            .sorted(Comparator.comparingInt(RecordedEffect::attempt))
            .toList();
    List<Violation> violations = new ArrayList<>();
    for (int i = 1; i < effects.size(); i++) {
      RecordedEffect effect = effects.get(i);
      List<RecordedEffect> before = effects.subList(0, i);
      String wrong = wrong(key, before, effect);
      if (!wrong.isEmpty()) {
        violations.add(violation(key, before.getLast(), effect, wrong));
      }
    }
    return violations.stream();
  }

  private static String wrong(KeyHistory key, List<RecordedEffect> before, RecordedEffect effect) {
    if (before.getLast().attempt() == effect.attempt()) {
      return "both in attempt " + effect.attempt();
    }
    if (before.stream().allMatch(earlier -> disowned(key, earlier))) {
      return "";
    }
    if (!key.runsAgain()) {
      return "in attempts %d and %d, although nobody may take over"
          .formatted(before.getLast().attempt(), effect.attempt());
    }
    return effect.takenOver()
        ? ""
        : "in attempts %d and %d, and the later was not told"
            .formatted(before.getLast().attempt(), effect.attempt());
  }

  private static boolean disowned(KeyHistory key, RecordedEffect effect) {
    return !acknowledged(key, effect) && threw(key, effect);
  }

  private static boolean acknowledged(KeyHistory key, RecordedEffect effect) {
    return key.executions()
        .filter(
            run ->
                KeyHistory.answered(
                    run, RecordedAnswer.Kind.EXECUTED, RecordedAnswer.Kind.UNRECORDED))
        .anyMatch(run -> run.answer().value().equals(effect.value()));
  }

  private static boolean threw(KeyHistory key, RecordedEffect effect) {
    return key.executions()
        .filter(run -> KeyHistory.answered(run, RecordedAnswer.Kind.THREW))
        .filter(run -> run.client().equals(effect.client()))
        .anyMatch(
            run -> run.beganNanos() <= effect.atNanos() && effect.atNanos() <= run.endedNanos());
  }

  private Violation violation(
      KeyHistory key, RecordedEffect one, RecordedEffect other, String how) {
    return new Violation(
        promise(),
        key.key(),
        "%s's and %s's work both took effect, %s".formatted(one.client(), other.client(), how),
        key.calls(),
        Stream.of(one, other).sorted(Comparator.comparingLong(RecordedEffect::atNanos)).toList());
  }
}
