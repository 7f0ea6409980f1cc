package dev.semel.cli.tui;

import dev.semel.admin.OperationRecord;
import dev.semel.cli.tui.view.Screen;
import java.util.List;
import java.util.Optional;

/** Handles keys while no dialog covers the panels. */
final class PanelKeys {
  private PanelKeys() {}

  static TuiStep pressed(TuiModel model, KeyPress press) {
    return switch (press.kind()) {
      case CHARACTER -> character(model, press.character());
      case CONTROL -> control(model, press.character());
      case TAB -> TuiStep.to(model.on(model.panel().next()));
      case ENTER -> enter(model);
      case ESCAPE -> TuiStep.to(model.silent().with(model.keys().still()));
      case UP -> move(model, -1);
      case DOWN -> move(model, 1);
      case PAGE_UP -> move(model, -pageRows(model));
      case PAGE_DOWN -> move(model, pageRows(model));
      case HOME -> home(model);
      case END -> end(model);
      case BACKSPACE, LEFT, RIGHT, OTHER -> TuiStep.to(model);
    };
  }

  private static TuiStep character(TuiModel model, char character) {
    return switch (character) {
      case 'q' -> TuiStep.to(model.leaving());
      case 'r' -> Reducer.refresh(model.silent());
      case 'c' -> TuiStep.to(model.on(Panel.CONFIG));
      case 'k' -> TuiStep.to(model.on(Panel.KEYS));
      case 'o' -> TuiStep.to(model.on(Panel.OUTBOX));
      case 's' -> TuiStep.to(model, new TuiEffect.Export());
      case 'h', '?' -> TuiStep.to(model.with(new OverlayDialog.Help()));
      case 'f' -> cleanUp(model);
      case 'd' ->
          TuiStep.to(hint(model, "d deletes the key whose details are open: press Enter first"));
      case '/' -> {
        String text = model.keys().filter().text();
        yield TuiStep.to(model.on(Panel.KEYS).with(new OverlayDialog.Filtering(text, text)));
      }
      default -> TuiStep.to(Panel.of(character).map(model::on).orElse(model));
    };
  }

  private static TuiStep control(TuiModel model, char letter) {
    return switch (letter) {
      case 'c' -> TuiStep.to(model.leaving());
      case 'r' -> reset(model);
      default -> TuiStep.to(model);
    };
  }

  private static TuiStep cleanUp(TuiModel model) {
    return model.panel() == Panel.CONFIG
        ? TuiStep.to(
            model.saying(Notice.hint("cleaning up …", model.now())), new TuiEffect.CleanUp())
        : TuiStep.to(hint(model, "f cleans up in the configuration: press c first"));
  }

  private static TuiStep reset(TuiModel model) {
    if (model.panel() != Panel.CONFIG) {
      return TuiStep.to(hint(model, "Ctrl+R resets counts in the configuration: press c first"));
    }
    return TuiStep.to(
        model.with(
            new OverlayDialog.Confirm(
                "Reset all statistics?",
                "Counts and the last day's trend start from zero; keys stay as they are.",
                new TuiEffect.ResetCounts(),
                new OverlayDialog.None())));
  }

  private static TuiModel hint(TuiModel model, String text) {
    return model.saying(Notice.hint(text, model.now()));
  }

  private static TuiStep enter(TuiModel model) {
    return switch (model.panel()) {
      case KEYS -> details(model);
      case CONFIG -> edit(model);
      case STATS, OUTBOX -> TuiStep.to(model);
    };
  }

  private static TuiStep details(TuiModel model) {
    if (!model.keys().wish().none()) {
      // The chosen row is not yet the one that the user wants.
      return TuiStep.to(
          hint(model, "that row is not there yet: Enter once it is, Esc to stay here"));
    }
    return model
        .keys()
        .row(model.keys().selected())
        .map(
            row ->
                TuiStep.to(
                    model.with(
                        new OverlayDialog.Details(
                            row.record().key(),
                            Optional.of(row.record()),
                            Optional.empty(),
                            row.readAt(),
                            0)),
                    new TuiEffect.Open(row.record().key())))
        .orElseGet(() -> TuiStep.to(model));
  }

  private static TuiStep edit(TuiModel model) {
    List<OperationRecord> queues = model.overview().map(OverviewData::queues).orElse(List.of());
    if (model.operation() >= queues.size()) {
      return TuiStep.to(
          hint(model, "there is no operation yet: it appears with its first request"));
    }
    OperationRecord queue = queues.get(model.operation());
    SettingsForm form = SettingsForm.of(queue.operation(), queue.settings().settings());
    return TuiStep.to(model.with(new OverlayDialog.Editing(form)));
  }

  private static TuiStep move(TuiModel model, int by) {
    return switch (model.panel()) {
      case KEYS -> PageRequests.moved(model, by);
      case CONFIG -> {
        int most = model.overview().map(there -> there.queues().size() - 1).orElse(0);
        long row = Math.clamp((long) model.operation() + by, 0L, Math.max(0, most));
        yield TuiStep.to(model.choosing((int) row));
      }
      case STATS, OUTBOX -> TuiStep.to(model);
    };
  }

  private static TuiStep home(TuiModel model) {
    return model.panel() == Panel.KEYS
        ? PageRequests.needed(model.with(model.keys().toBeginning()))
        : move(model, -Integer.MAX_VALUE);
  }

  private static TuiStep end(TuiModel model) {
    return model.panel() == Panel.KEYS
        ? PageRequests.needed(model.with(model.keys().toEnd()))
        : move(model, Integer.MAX_VALUE);
  }

  /** About the number of visible rows. */
  private static int pageRows(TuiModel model) {
    return Math.max(1, model.wide() ? model.height() / 2 : model.height() - Screen.AROUND_TAB);
  }
}
