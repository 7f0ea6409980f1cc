package dev.semel.cli.tui;

import java.util.List;

/** What follows from a message: the next model, and what is to be done outside. */
record Step(Model model, List<Effect> effects) {
  Step {
    effects = List.copyOf(effects);
  }

  static Step to(Model model) {
    return new Step(model, List.of());
  }

  static Step to(Model model, Effect effect) {
    return new Step(model, List.of(effect));
  }
}
