package dev.semel.cli.tui;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tamboui.terminal.Backend;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.Queue;
import org.junit.jupiter.api.Test;

/** Keys that arrive in pieces. No time passes: a byte is there if its pause fits the wait. */
class KeyboardTest {
  private static final int NOTHING = -2;

  private record Arrival(int value, int after) {}

  private final Queue<Arrival> line = new ArrayDeque<>();
  private final Keyboard keyboard =
      new Keyboard(
          (Backend)
              Proxy.newProxyInstance(
                  KeyboardTest.class.getClassLoader(),
                  new Class<?>[] {Backend.class},
                  (proxy, method, arguments) ->
                      next((int) arguments[0], method.getName().equals("read"))));

  private int next(int millis, boolean taken) {
    Arrival next = line.peek();
    if (next == null || next.after() > millis) {
      return NOTHING;
    }
    if (taken) {
      line.remove();
    }
    return next.value();
  }

  private void send(String text, int... pauses) {
    for (int i = 0; i < text.length(); i++) {
      line.add(new Arrival(text.charAt(i), i < pauses.length ? pauses[i] : 0));
    }
  }

  @Test
  void anArrowKeyThatComesInPiecesIsOneKey() throws IOException {
    send("\u001b[A", 0, 200, 1_000);
    assertThat(keyboard.read(10)).contains(KeyPress.of(KeyPress.Kind.UP));
    send("\u001b[6~", 0, 0, 400, 1_500);
    assertThat(keyboard.read(10)).contains(KeyPress.of(KeyPress.Kind.PAGE_DOWN));
  }

  @Test
  void escapeAloneIsAKeyToo() throws IOException {
    send("\u001b");
    assertThat(keyboard.read(10)).contains(KeyPress.of(KeyPress.Kind.ESCAPE));
    send("\u001bq", 0, 5_000);
    assertThat(keyboard.read(10)).contains(KeyPress.of(KeyPress.Kind.ESCAPE));
  }

  @Test
  void theWaitForAKeyIsTheCallers() throws IOException {
    send("x", 100);
    assertThat(keyboard.read(10)).isEqualTo(Optional.empty());
    assertThat(keyboard.read(100)).contains(KeyPress.of('x'));
  }
}
