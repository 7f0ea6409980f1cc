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
  /** What follows Esc within it belongs to one key: a slow line brings an arrow key in pieces. */
  private static final int AFTER_ESCAPE_MILLIS = 300;

  /** A key that has begun with Esc and another character is surely told to its end. */
  private static final int WITHIN_KEY_MILLIS = 2_000;

  private final Backend terminal;
  private final Backend patient;
  private boolean begun;

  Keyboard(Backend terminal) {
    this.terminal = terminal;
    // The parser gives up a key after 50 ms, and nothing but what it reads from can be set.
    this.patient =
        (Backend)
            Proxy.newProxyInstance(
                Keyboard.class.getClassLoader(),
                new Class<?>[] {Backend.class},
                (proxy, method, arguments) -> call(method, arguments));
  }

  /** The next key; empty: none was pressed for so long. */
  Optional<Press> read(int millis) throws IOException {
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
