package dev.semel.cli.tui;

import dev.semel.admin.ControlCenter;
import dev.semel.cli.tui.view.Palette;
import dev.semel.cli.tui.view.Screen;
import dev.semel.cli.tui.view.TerminalStyle;
import dev.tamboui.layout.Size;
import dev.tamboui.terminal.Backend;
import dev.tamboui.terminal.Terminal;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * The control center on this process's terminal. One loop reads keys, takes the results of effects,
 * and draws after changes. For one thread.
 */
public final class Tui {
  /** Longest time until anything but a key is noticed; a key is noticed at once. */
  private static final int TURN_MILLIS = 100;

  /**
   * Longest time until anything is noticed while a page was requested, because the user may wait
   * for it.
   */
  private static final int SHORT_TURN_MILLIS = 5;

  /** Limit of keys in one turn, so that the screen is drawn while a key is held down. */
  private static final int MAX_KEYS = 50;

  /** How long effects may still take when the screen is left. */
  private static final Duration SETTLE = Duration.ofMillis(500);

  private final Backend terminal;
  private final Keyboard keyboard;
  private final Palette palette;
  private final InstantSource clock;
  private final Queue<TuiMessage> mailbox = new ConcurrentLinkedQueue<>();
  private final EffectRunner errands;
  private TuiModel model;
  private boolean changed = true;

  Tui(
      Backend terminal,
      Palette palette,
      ControlCenter center,
      ExportTarget exports,
      InstantSource clock)
      throws IOException {
    this.terminal = terminal;
    this.keyboard = new Keyboard(terminal);
    this.palette = palette;
    this.clock = clock;
    this.errands = new EffectRunner(center, exports, mailbox::add);
    Size size = terminal.size();
    this.model = TuiModel.begin(size.width(), size.height(), clock.instant());
  }

  /** Shows the control center until the user quits. */
  public static void run(ControlCenter center, ExportTarget exports, TerminalStyle look)
      throws IOException {
    RawTerminal terminal = RawTerminal.open();
    Thread hook = Thread.ofPlatform().name("semel-terminal").unstarted(() -> giveBack(terminal));
    Runtime.getRuntime().addShutdownHook(hook);
    try {
      terminal.enter();
      new Tui(terminal, look.palette(), center, exports, InstantSource.system()).loop();
    } finally {
      terminal.close();
      try {
        Runtime.getRuntime().removeShutdownHook(hook);
      } catch (IllegalStateException e) {
        // the process is ending, and the terminal is restored already
      }
    }
  }

  private static void giveBack(RawTerminal terminal) {
    try {
      terminal.close();
    } catch (IOException e) {
      // the terminal is gone
    }
  }

  void loop() throws IOException {
    Terminal<Backend> screen = new Terminal<>(terminal);
    terminal.onResize(this::resized);
    take(new TuiMessage.Ticked(model.now()));
    while (!model.left()) {
      if (changed) {
        changed = false;
        TuiModel shown = model;
        screen.draw(frame -> Screen.render(frame, shown, palette));
      }
      keys();
      for (TuiMessage next = mailbox.poll(); next != null; next = mailbox.poll()) {
        take(next);
      }
      Instant now = clock.instant();
      if (!now.truncatedTo(ChronoUnit.SECONDS)
          .equals(model.now().truncatedTo(ChronoUnit.SECONDS))) {
        take(new TuiMessage.Ticked(now));
      }
    }
    settle();
  }

  private void keys() throws IOException {
    int turn = model.keys().asked() ? SHORT_TURN_MILLIS : TURN_MILLIS;
    Optional<KeyPress> press = keyboard.read(mailbox.isEmpty() ? turn : 1);
    for (int taken = 1; press.isPresent(); taken++) {
      take(new TuiMessage.Pressed(press.get()));
      press = taken < MAX_KEYS ? keyboard.read(1) : Optional.empty();
    }
  }

  private void take(TuiMessage message) {
    TuiStep step = Reducer.next(model, message);
    model = step.model();
    changed = true;
    step.effects().forEach(errands::send);
  }

  /** Called by the thread for signals, so it only leaves a message. */
  private void resized() {
    try {
      Size size = terminal.size();
      mailbox.add(new TuiMessage.Resized(size.width(), size.height()));
    } catch (IOException e) {
      // the next draw asks again
    }
  }

  /** Waits for effects that read the store, because it is closed after this. */
  private void settle() throws IOException {
    long end = System.nanoTime() + SETTLE.toNanos();
    while (errands.busy() && System.nanoTime() - end < 0) {
      Optional<KeyPress> unused = keyboard.read(10);
    }
  }
}
