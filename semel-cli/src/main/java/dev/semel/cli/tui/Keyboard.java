package dev.semel.cli.tui;

import dev.tamboui.terminal.Backend;
import dev.tamboui.tui.event.Event;
import dev.tamboui.tui.event.EventParser;
import dev.tamboui.tui.event.KeyEvent;
import java.io.IOException;
import java.util.Optional;

/** Reads keys from a terminal. */
final class Keyboard {
  private Keyboard() {}

  /** The next key; empty: none was pressed for so long. */
  static Optional<Press> read(Backend terminal, int millis) throws IOException {
    Event event = EventParser.readEvent(terminal, millis);
    return event instanceof KeyEvent key ? Optional.of(press(key)) : Optional.empty();
  }

  static Press press(KeyEvent key) {
    return switch (key.code()) {
      case CHAR ->
          key.hasCtrl()
              ? Press.control(key.character())
              : key.hasAlt() ? Press.of(Press.Kind.OTHER) : Press.of(key.character());
      case TAB -> Press.of(Press.Kind.TAB);
      case ENTER -> Press.of(Press.Kind.ENTER);
      case ESCAPE -> Press.of(Press.Kind.ESCAPE);
      case BACKSPACE -> Press.of(Press.Kind.BACKSPACE);
      case UP -> Press.of(Press.Kind.UP);
      case DOWN -> Press.of(Press.Kind.DOWN);
      case LEFT -> Press.of(Press.Kind.LEFT);
      case RIGHT -> Press.of(Press.Kind.RIGHT);
      case PAGE_UP -> Press.of(Press.Kind.PAGE_UP);
      case PAGE_DOWN -> Press.of(Press.Kind.PAGE_DOWN);
      case HOME -> Press.of(Press.Kind.HOME);
      case END -> Press.of(Press.Kind.END);
      default -> Press.of(Press.Kind.OTHER);
    };
  }
}
