package dev.semel.cli.tui;

import java.util.List;

/** The result of a message: the next model, and the effects to run. */
record TuiStep(TuiModel model, List<TuiEffect> effects) {
  TuiStep {
    effects = List.copyOf(effects);
  }

  static TuiStep to(TuiModel model) {
    return new TuiStep(model, List.of());
  }

  static TuiStep to(TuiModel model, TuiEffect effect) {
    return new TuiStep(model, List.of(effect));
  }
}
