package dev.semel.advice;

import dev.semel.Operation;
import java.util.ArrayList;
import java.util.List;

/** A counsel in the making. For one thread. */
final class Findings {
  private final List<Advice> advice = new ArrayList<>();
  private final List<Counsel.Withheld> withheld = new ArrayList<>();

  void add(Advice one) {
    advice.add(one);
  }

  void withhold(Operation operation, String why) {
    withheld.add(new Counsel.Withheld(operation, why));
  }

  Counsel counsel() {
    return new Counsel(advice, withheld);
  }
}
