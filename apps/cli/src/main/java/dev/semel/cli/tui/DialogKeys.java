package dev.semel.cli.tui;

/** The keyboard, while something lies over the panels. */
final class DialogKeys {
  /** Longest text that can be looked for: keys are not longer. */
  static final int MAX_FILTER = dev.semel.Key.MAX_BYTES;

  private static final int PAGE = 10;

  private DialogKeys() {}

  static Step pressed(Model model, Press press) {
    if (press.isControl('c')) {
      return Step.to(model.leaving());
    }
    return switch (model.dialog()) {
      case Dialog.None d -> Step.to(model);
      case Dialog.Help d -> help(model, press);
      case Dialog.Filtering d -> filtering(model, d, press);
      case Dialog.Details d -> details(model, d, press);
      case Dialog.Confirm d -> confirm(model, d, press);
      case Dialog.Editing d -> editing(model, d.form(), press);
    };
  }

  private static Step help(Model model, Press press) {
    if (press.is('q')) {
      return Step.to(model.leaving());
    }
    boolean closes =
        press.kind() == Press.Kind.ESCAPE
            || press.kind() == Press.Kind.ENTER
            || press.is('h')
            || press.is('?');
    return Step.to(closes ? model.closed() : model);
  }

  private static Step filtering(Model model, Dialog.Filtering dialog, Press press) {
    return switch (press.kind()) {
      case ENTER -> Step.to(model.closed());
      case ESCAPE -> Listing.filtered(model.closed(), dialog.before());
      case CHARACTER ->
          dialog.text().length() < MAX_FILTER
              ? typed(model, dialog, dialog.text() + press.character())
              : Step.to(model);
      case BACKSPACE -> typed(model, dialog, shorter(dialog.text()));
      case UP -> Listing.moved(model, -1);
      case DOWN -> Listing.moved(model, 1);
      case CONTROL -> press.isControl('u') ? typed(model, dialog, "") : Step.to(model);
      case TAB, LEFT, RIGHT, PAGE_UP, PAGE_DOWN, HOME, END, OTHER -> Step.to(model);
    };
  }

  private static Step typed(Model model, Dialog.Filtering dialog, String text) {
    return Listing.filtered(model.with(new Dialog.Filtering(text, dialog.before())), text);
  }

  /** A character outside the basic plane comes as two. */
  private static String shorter(String text) {
    return text.isEmpty() ? "" : text.substring(0, text.offsetByCodePoints(text.length(), -1));
  }

  private static Step details(Model model, Dialog.Details dialog, Press press) {
    return switch (press.kind()) {
      case ESCAPE, ENTER -> Step.to(model.closed());
      case UP -> Step.to(model.with(dialog.scrolled(-1)));
      case DOWN -> Step.to(model.with(dialog.scrolled(1)));
      case PAGE_UP -> Step.to(model.with(dialog.scrolled(-PAGE)));
      case PAGE_DOWN -> Step.to(model.with(dialog.scrolled(PAGE)));
      case HOME -> Step.to(model.with(dialog.scrolled(-dialog.scroll())));
      case END -> Step.to(model.with(dialog.scrolled(Integer.MAX_VALUE / 2)));
      case CHARACTER ->
          switch (press.character()) {
            case 'd' -> Step.to(model.with(deletion(dialog)));
            case 'r' -> Step.to(model, new Effect.Open(dialog.key()));
            case 'q' -> Step.to(model.leaving());
            default -> Step.to(model);
          };
      case CONTROL, TAB, BACKSPACE, LEFT, RIGHT, OTHER -> Step.to(model);
    };
  }

  private static Dialog.Confirm deletion(Dialog.Details dialog) {
    return new Dialog.Confirm(
        "Delete %s?".formatted(dialog.key().text()),
        "It is forgotten with its attempts: the next request runs. Its holder, if any, is fenced.",
        new Effect.Delete(dialog.key()),
        dialog);
  }

  /** Only y does it: a key that is held down must not. */
  private static Step confirm(Model model, Dialog.Confirm dialog, Press press) {
    if (press.is('y') || press.is('Y')) {
      return Step.to(model.closed(), dialog.effect());
    }
    boolean declined =
        press.is('n') || press.is('N') || press.is('q') || press.kind() == Press.Kind.ESCAPE;
    return Step.to(declined ? model.with(dialog.back()) : model);
  }

  private static Step editing(Model model, SettingsForm form, Press press) {
    if (form.saving()) {
      return Step.to(press.kind() == Press.Kind.ESCAPE ? model.closed() : model);
    }
    return switch (press.kind()) {
      case ESCAPE -> Step.to(model.closed());
      case ENTER -> save(model, form);
      case UP -> show(model, form.moved(-1));
      case DOWN, TAB -> show(model, form.moved(1));
      case LEFT -> show(model, form.turned(-1));
      case RIGHT -> show(model, form.turned(1));
      case BACKSPACE -> show(model, form.erased());
      case CHARACTER -> show(model, form.typed(press.character()));
      case CONTROL, PAGE_UP, PAGE_DOWN, HOME, END, OTHER -> Step.to(model);
    };
  }

  private static Step show(Model model, SettingsForm form) {
    return Step.to(model.with(new Dialog.Editing(form)));
  }

  private static Step save(Model model, SettingsForm form) {
    if (!form.problem().isEmpty()) {
      return Step.to(model);
    }
    return form.changes().isEmpty()
        ? Step.to(model.closed())
        : Step.to(
            model.with(new Dialog.Editing(form.sent())),
            new Effect.Change(form.operation(), form.changes()));
  }
}
