package dev.semel.cli.tui;

/** Handles keys while a dialog covers the panels. */
final class DialogKeys {
  /** Limit of the filter's text: keys are not longer. */
  static final int MAX_FILTER = dev.semel.Key.MAX_BYTES;

  private static final int PAGE = 10;

  private DialogKeys() {}

  static TuiStep pressed(TuiModel model, KeyPress press) {
    if (press.isControl('c')) {
      return TuiStep.to(model.leaving());
    }
    return switch (model.dialog()) {
      case OverlayDialog.None d -> TuiStep.to(model);
      case OverlayDialog.Help d -> help(model, press);
      case OverlayDialog.Filtering d -> filtering(model, d, press);
      case OverlayDialog.Details d -> details(model, d, press);
      case OverlayDialog.Confirm d -> confirm(model, d, press);
      case OverlayDialog.Editing d -> editing(model, d.form(), press);
    };
  }

  private static TuiStep help(TuiModel model, KeyPress press) {
    if (press.is('q')) {
      return TuiStep.to(model.leaving());
    }
    boolean closes =
        press.kind() == KeyPress.Kind.ESCAPE
            || press.kind() == KeyPress.Kind.ENTER
            || press.is('h')
            || press.is('?');
    return TuiStep.to(closes ? model.closed() : model);
  }

  private static TuiStep filtering(TuiModel model, OverlayDialog.Filtering dialog, KeyPress press) {
    return switch (press.kind()) {
      case ENTER -> TuiStep.to(model.closed());
      case ESCAPE -> PageRequests.filtered(model.closed(), dialog.before());
      case CHARACTER ->
          dialog.text().length() < MAX_FILTER
              ? typed(model, dialog, dialog.text() + press.character())
              : TuiStep.to(model);
      case BACKSPACE -> typed(model, dialog, shorter(dialog.text()));
      case UP -> PageRequests.moved(model, -1);
      case DOWN -> PageRequests.moved(model, 1);
      case CONTROL -> press.isControl('u') ? typed(model, dialog, "") : TuiStep.to(model);
      case TAB, LEFT, RIGHT, PAGE_UP, PAGE_DOWN, HOME, END, OTHER -> TuiStep.to(model);
    };
  }

  private static TuiStep typed(TuiModel model, OverlayDialog.Filtering dialog, String text) {
    return PageRequests.filtered(
        model.with(new OverlayDialog.Filtering(text, dialog.before())), text);
  }

  /** A character outside the basic plane consists of two. */
  private static String shorter(String text) {
    return text.isEmpty() ? "" : text.substring(0, text.offsetByCodePoints(text.length(), -1));
  }

  private static TuiStep details(TuiModel model, OverlayDialog.Details dialog, KeyPress press) {
    return switch (press.kind()) {
      case ESCAPE, ENTER -> TuiStep.to(model.closed());
      case UP -> TuiStep.to(model.with(dialog.scrolled(-1)));
      case DOWN -> TuiStep.to(model.with(dialog.scrolled(1)));
      case PAGE_UP -> TuiStep.to(model.with(dialog.scrolled(-PAGE)));
      case PAGE_DOWN -> TuiStep.to(model.with(dialog.scrolled(PAGE)));
      case HOME -> TuiStep.to(model.with(dialog.scrolled(-dialog.scroll())));
      case END -> TuiStep.to(model.with(dialog.scrolled(Integer.MAX_VALUE / 2)));
      case CHARACTER ->
          switch (press.character()) {
            case 'd' -> TuiStep.to(model.with(deletion(dialog)));
            case 'r' -> TuiStep.to(model, new TuiEffect.Open(dialog.key()));
            case 'q' -> TuiStep.to(model.leaving());
            default -> TuiStep.to(model);
          };
      case CONTROL, TAB, BACKSPACE, LEFT, RIGHT, OTHER -> TuiStep.to(model);
    };
  }

  private static OverlayDialog.Confirm deletion(OverlayDialog.Details dialog) {
    return new OverlayDialog.Confirm(
        "Delete %s?".formatted(dialog.key().text()),
        "It is forgotten with its attempts: the next request runs. Its holder, if any, is fenced.",
        new TuiEffect.Delete(dialog.key()),
        dialog);
  }

  /** Only y confirms: a key that is held down must not. */
  private static TuiStep confirm(TuiModel model, OverlayDialog.Confirm dialog, KeyPress press) {
    if (press.is('y') || press.is('Y')) {
      return TuiStep.to(model.closed(), dialog.effect());
    }
    boolean declined =
        press.is('n') || press.is('N') || press.is('q') || press.kind() == KeyPress.Kind.ESCAPE;
    return TuiStep.to(declined ? model.with(dialog.back()) : model);
  }

  private static TuiStep editing(TuiModel model, SettingsForm form, KeyPress press) {
    if (form.saving()) {
      return TuiStep.to(press.kind() == KeyPress.Kind.ESCAPE ? model.closed() : model);
    }
    return switch (press.kind()) {
      case ESCAPE -> TuiStep.to(model.closed());
      case ENTER -> save(model, form);
      case UP -> show(model, form.moved(-1));
      case DOWN, TAB -> show(model, form.moved(1));
      case LEFT -> show(model, form.turned(-1));
      case RIGHT -> show(model, form.turned(1));
      case BACKSPACE -> show(model, form.erased());
      case CHARACTER -> show(model, form.typed(press.character()));
      case CONTROL, PAGE_UP, PAGE_DOWN, HOME, END, OTHER -> TuiStep.to(model);
    };
  }

  private static TuiStep show(TuiModel model, SettingsForm form) {
    return TuiStep.to(model.with(new OverlayDialog.Editing(form)));
  }

  private static TuiStep save(TuiModel model, SettingsForm form) {
    if (!form.problem().isEmpty()) {
      return TuiStep.to(model);
    }
    return form.changes().isEmpty()
        ? TuiStep.to(model.closed())
        : TuiStep.to(
            model.with(new OverlayDialog.Editing(form.sent())),
            new TuiEffect.Change(form.operation(), form.changes()));
  }
}
