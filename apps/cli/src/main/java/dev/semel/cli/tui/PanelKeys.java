package dev.semel.cli.tui;

import dev.semel.admin.OperationRecord;
import java.util.List;
import java.util.Optional;

/** The keyboard, while nothing lies over the panels. */
final class PanelKeys {
  private PanelKeys() {}

  static Step pressed(Model model, Press press) {
    return switch (press.kind()) {
      case CHARACTER -> character(model, press.character());
      case CONTROL -> control(model, press.character());
      case TAB -> Step.to(model.on(model.panel().next()));
      case ENTER -> enter(model);
      case ESCAPE -> Step.to(model.silent().with(model.keys().still()));
      case UP -> move(model, -1);
      case DOWN -> move(model, 1);
      case PAGE_UP -> move(model, -pageRows(model));
      case PAGE_DOWN -> move(model, pageRows(model));
      case HOME -> home(model);
      case END -> end(model);
      case BACKSPACE, LEFT, RIGHT, OTHER -> Step.to(model);
    };
  }

  private static Step character(Model model, char character) {
    return switch (character) {
      case 'q' -> Step.to(model.leaving());
      case 'r' -> Reducer.refresh(model.silent());
      case 'c' -> Step.to(model.on(Panel.CONFIG));
      case 'k' -> Step.to(model.on(Panel.KEYS));
      case 'o' -> Step.to(model.on(Panel.OUTBOX));
      case 's' -> Step.to(model, new Effect.Export());
      case 'h', '?' -> Step.to(model.with(new Dialog.Help()));
      case 'f' -> cleanUp(model);
      case 'd' ->
          Step.to(hint(model, "d deletes the key whose details are open: press Enter first"));
      case '/' -> {
        String text = model.keys().filter().text();
        yield Step.to(model.on(Panel.KEYS).with(new Dialog.Filtering(text, text)));
      }
      default -> Step.to(Panel.of(character).map(model::on).orElse(model));
    };
  }

  private static Step control(Model model, char letter) {
    return switch (letter) {
      case 'c' -> Step.to(model.leaving());
      case 'r' -> reset(model);
      default -> Step.to(model);
    };
  }

  private static Step cleanUp(Model model) {
    return model.panel() == Panel.CONFIG
        ? Step.to(model.saying(Notice.hint("cleaning up …", model.now())), new Effect.CleanUp())
        : Step.to(hint(model, "f cleans up in the configuration: press c first"));
  }

  private static Step reset(Model model) {
    if (model.panel() != Panel.CONFIG) {
      return Step.to(hint(model, "Ctrl+R resets counts in the configuration: press c first"));
    }
    return Step.to(
        model.with(
            new Dialog.Confirm(
                "Reset all statistics?",
                "Counts and the last day's trend start from zero; keys stay as they are.",
                new Effect.ResetCounts(),
                new Dialog.None())));
  }

  private static Model hint(Model model, String text) {
    return model.saying(Notice.hint(text, model.now()));
  }

  private static Step enter(Model model) {
    return switch (model.panel()) {
      case KEYS -> details(model);
      case CONFIG -> edit(model);
      case STATS, OUTBOX -> Step.to(model);
    };
  }

  private static Step details(Model model) {
    if (!model.keys().wish().none()) {
      // What is chosen now is not what was meant.
      return Step.to(hint(model, "that row is not there yet: Enter once it is, Esc to stay here"));
    }
    return model
        .keys()
        .row(model.keys().selected())
        .map(
            row ->
                Step.to(
                    model.with(
                        new Dialog.Details(
                            row.record().key(),
                            Optional.of(row.record()),
                            Optional.empty(),
                            row.readAt(),
                            0)),
                    new Effect.Open(row.record().key())))
        .orElseGet(() -> Step.to(model));
  }

  private static Step edit(Model model) {
    List<OperationRecord> queues = model.overview().map(Overview::queues).orElse(List.of());
    if (model.operation() >= queues.size()) {
      return Step.to(hint(model, "there is no operation yet: it appears with its first request"));
    }
    OperationRecord queue = queues.get(model.operation());
    SettingsForm form = SettingsForm.of(queue.operation(), queue.settings().settings());
    return Step.to(model.with(new Dialog.Editing(form)));
  }

  private static Step move(Model model, int by) {
    return switch (model.panel()) {
      case KEYS -> Listing.moved(model, by);
      case CONFIG -> {
        int most = model.overview().map(there -> there.queues().size() - 1).orElse(0);
        long row = Math.clamp((long) model.operation() + by, 0L, Math.max(0, most));
        yield Step.to(model.choosing((int) row));
      }
      case STATS, OUTBOX -> Step.to(model);
    };
  }

  private static Step home(Model model) {
    return model.panel() == Panel.KEYS
        ? Listing.needed(model.with(model.keys().toBeginning()))
        : move(model, -Integer.MAX_VALUE);
  }

  private static Step end(Model model) {
    return model.panel() == Panel.KEYS
        ? Listing.needed(model.with(model.keys().toEnd()))
        : move(model, Integer.MAX_VALUE);
  }

  /** About as many rows as are in sight. */
  private static int pageRows(Model model) {
    return Math.max(1, model.wide() ? model.height() / 2 : model.height() - Screen.AROUND_TAB);
  }
}
