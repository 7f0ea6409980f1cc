package dev.semel.cli.tui;

import dev.semel.admin.KeyFilter;
import java.util.Optional;
import java.util.Set;

/** Decides when to request which page of the keys. */
final class PageRequests {
  private PageRequests() {}

  /**
   * Requests a missing page around the chosen row. Not while the target is away, and after a
   * failure not before its time, because a key that is held down must not cause one request after
   * the other.
   */
  static TuiStep needed(TuiModel model) {
    Optional<KeyPages.Ask> page = model.keys().needed();
    boolean pause =
        model.keys().reading() == KeyWindow.Reading.FAILED
            && model.now().isBefore(model.agenda().page());
    return page.isEmpty() || pause || model.link().away()
        ? TuiStep.to(model)
        : ask(model, page.get());
  }

  /** Requests a missing page, or the chosen row's page again if it has become old. */
  static TuiStep due(TuiModel model) {
    if (model.now().isBefore(model.agenda().page())) {
      return TuiStep.to(model);
    }
    TuiModel next = model.with(model.agenda().paged(model.now().plus(TuiModel.Agenda.EVERY)));
    Optional<KeyPages.Ask> page = next.keys().needed().or(() -> next.keys().stale());
    return page.isEmpty() ? TuiStep.to(next) : ask(next, page.get());
  }

  private static TuiStep ask(TuiModel model, KeyPages.Ask page) {
    return TuiStep.to(
        model.with(model.keys().reading(KeyWindow.Reading.ASKED)),
        new TuiEffect.FetchPage(model.keys().filter(), page));
  }

  static TuiStep moved(TuiModel model, long by) {
    KeyWindow before = model.keys();
    TuiModel next = model.with(before.moved(by));
    if (next.keys().wish().full()) {
      next =
          hint(
              next, "no more than %,d rows ahead are remembered".formatted(PendingScroll.MAX_ROWS));
    } else if (by < 0 && before.selected() == 0 && before.pages().cutOff()) {
      next = hint(next, "the way back is forgotten from here: Home begins anew");
    }
    return needed(next);
  }

  private static TuiModel hint(TuiModel model, String text) {
    return model.saying(Notice.hint(text, model.now()));
  }

  /** Shows only keys that contain this text. */
  static TuiStep filtered(TuiModel model, String text) {
    KeyFilter filter = new KeyFilter("", text, Set.of());
    if (filter.equals(model.keys().filter())) {
      return TuiStep.to(model);
    }
    // A pending answer carries its filter, so a late one is recognised.
    KeyWindow.Reading reading = model.keys().reading();
    return needed(model.with(KeyWindow.of(filter).reading(reading)));
  }
}
