package dev.semel.advice.internal;

import dev.semel.Operation;
import dev.semel.advice.Advice;
import dev.semel.advice.Recommendations;
import java.util.ArrayList;
import java.util.List;

/** Collects recommendations. For one thread. */
final class RecommendationsBuilder {
  private final List<Advice> advice = new ArrayList<>();
  private final List<Recommendations.Withheld> withheld = new ArrayList<>();

  void add(Advice one) {
    advice.add(one);
  }

  void withhold(Operation operation, String why) {
    withheld.add(new Recommendations.Withheld(operation, why));
  }

  Recommendations counsel() {
    return new Recommendations(advice, withheld);
  }
}
