package dev.semel.cli.tui;

import dev.semel.admin.KeyFilter;
import java.util.Optional;
import java.util.Set;

/** When which page of the keys is asked for. */
final class Listing {
  private Listing() {}

  /** The page that is missing where the chosen row is; while nobody answers, none is asked for. */
  static Step needed(Model model) {
    Optional<String> cursor = model.keys().needed();
    return cursor.isEmpty() || model.link().away() ? Step.to(model) : ask(model, cursor.get());
  }

  /** The same, or the page with the chosen row again when what is shown of it has become old. */
  static Step due(Model model) {
    if (model.now().isBefore(model.agenda().page())) {
      return Step.to(model);
    }
    Model next = model.with(model.agenda().paged(model.now().plus(Model.Agenda.EVERY)));
    Optional<String> cursor = next.keys().needed().or(() -> next.keys().stale());
    return cursor.isEmpty() ? Step.to(next) : ask(next, cursor.get());
  }

  private static Step ask(Model model, String cursor) {
    return Step.to(
        model.with(model.keys().asking(true)), new Effect.FetchPage(model.keys().filter(), cursor));
  }

  /** Only keys with this text in them. */
  static Step filtered(Model model, String text) {
    KeyFilter filter = new KeyFilter("", text, Set.of());
    if (filter.equals(model.keys().filter())) {
      return Step.to(model);
    }
    // What is on its way for the last filter is told apart by it when it comes.
    boolean asked = model.keys().asked();
    return needed(model.with(KeyWindow.of(filter).asking(asked)));
  }
}
