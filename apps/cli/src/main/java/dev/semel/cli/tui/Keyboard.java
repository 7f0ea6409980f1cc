package dev.semel.cli.tui;

import dev.tamboui.terminal.Backend;
import dev.tamboui.tui.event.Event;
import dev.tamboui.tui.event.EventParser;
import dev.tamboui.tui.event.KeyEvent;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Optional;

/** Reads keys from a terminal. For one thread. */
final class Keyboard {
  /**
   * Characters within this time after Esc belong to one key: a slow line delivers an arrow key in
   * pieces.
   */
  private static final int AFTER_ESCAPE_MILLIS = 300;

  /** After Esc and one more character, the rest of the key will surely come. */
  private static final int WITHIN_KEY_MILLIS = 2_000;

  private final Backend terminal;
  private final Backend patient;
  private boolean begun;

  Keyboard(Backend terminal) {
    this.terminal = terminal;
    // The parser gives up after 50 ms, and only its input can be replaced.
    this.patient =
        (Backend)
            Proxy.newProxyInstance(
                Keyboard.class.getClassLoader(),
                new Class<?>[] {Backend.class},
                (proxy, method, arguments) -> call(method, arguments));
  }

  /** The next key; empty: none was pressed in this time. */
  Optional<KeyPress> read(int millis) throws IOException {
    begun = false;
    Event event = EventParser.readEvent(patient, millis);
    return event instanceof KeyEvent key ? Optional.of(press(key)) : Optional.empty();
  }

  private Object call(Method method, Object[] arguments) throws Throwable {
    if (method.getName().equals("peek")) {
      return terminal.peek(AFTER_ESCAPE_MILLIS);
    }
    if (method.getName().equals("read")) {
      int millis = begun ? WITHIN_KEY_MILLIS : (int) arguments[0];
      begun = true;
      return terminal.read(millis);
    }
    try {
      return method.invoke(terminal, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  static KeyPress press(KeyEvent key) {
    return switch (key.code()) {
      case CHAR ->
          key.hasCtrl()
              ? KeyPress.control(key.character())
              : key.hasAlt() ? KeyPress.of(KeyPress.Kind.OTHER) : KeyPress.of(key.character());
      case TAB -> KeyPress.of(KeyPress.Kind.TAB);
      case ENTER -> KeyPress.of(KeyPress.Kind.ENTER);
      case ESCAPE -> KeyPress.of(KeyPress.Kind.ESCAPE);
      case BACKSPACE -> KeyPress.of(KeyPress.Kind.BACKSPACE);
      case UP -> KeyPress.of(KeyPress.Kind.UP);
      case DOWN -> KeyPress.of(KeyPress.Kind.DOWN);
      case LEFT -> KeyPress.of(KeyPress.Kind.LEFT);
      case RIGHT -> KeyPress.of(KeyPress.Kind.RIGHT);
      case PAGE_UP -> KeyPress.of(KeyPress.Kind.PAGE_UP);
      case PAGE_DOWN -> KeyPress.of(KeyPress.Kind.PAGE_DOWN);
      case HOME -> KeyPress.of(KeyPress.Kind.HOME);
      case END -> KeyPress.of(KeyPress.Kind.END);
      default -> KeyPress.of(KeyPress.Kind.OTHER);
    };
  }
}
