package dev.semel.cli.tui;

import dev.semel.InvalidInput;
import dev.semel.StoreException;
import dev.semel.admin.ControlCenter;
import dev.semel.cli.tui.view.Palette;
import dev.semel.cli.tui.view.Screen;
import dev.semel.cli.tui.view.SvgFrame;
import dev.semel.cli.tui.view.TerminalStyle;
import dev.semel.internal.PrintableText;
import dev.tamboui.buffer.Buffer;
import dev.tamboui.layout.Rect;
import dev.tamboui.terminal.Frame;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Takes a picture of the screen without a terminal. */
public final class ScreenSnapshot {
  private static final Pattern SIZE = Pattern.compile("(\\d{1,3})[x×](\\d{1,3})");

  /** Limit of answers to wait for, because a listing may have no end. */
  private static final int MAX_STEPS = 100;

  private ScreenSnapshot() {}

  /** Size of a terminal. */
  public record Size(int width, int height) {
    public static Size parse(String text) {
      Matcher m = SIZE.matcher(text);
      if (!m.matches()) {
        throw new InvalidInput(
            "%s is not a size: write columns and rows like 140x40"
                .formatted(PrintableText.quoted(text)));
      }
      return new Size(Integer.parseInt(m.group(1)), Integer.parseInt(m.group(2)));
    }
  }

  /**
   * The current screen as SVG.
   *
   * @throws StoreException the target does not answer
   */
  public static String take(ControlCenter center, Size size, Panel panel, TerminalStyle look) {
    Instant now = Instant.now();
    TuiModel model = TuiModel.begin(size.width(), size.height(), now).on(panel);
    EffectRunner errands = new EffectRunner(center, stats -> "", message -> {});
    Deque<TuiEffect> todo = new ArrayDeque<>();
    TuiStep step = Reducer.next(model, new TuiMessage.Ticked(now));
    for (int i = 0; i < MAX_STEPS; i++) {
      todo.addAll(step.effects());
      TuiEffect next = todo.poll();
      if (next == null) {
        break;
      }
      step = Reducer.next(step.model(), errands.perform(next));
    }
    if (step.model().link().away()) {
      throw new StoreException(step.model().link().why());
    }
    return picture(step.model(), look.inColour().palette());
  }

  static String picture(TuiModel model, Palette palette) {
    Buffer buffer = frame(model, palette);
    return new SvgFrame(buffer, palette).svg();
  }

  public static Buffer frame(TuiModel model, Palette palette) {
    Buffer buffer = Buffer.empty(Rect.of(model.width(), model.height()));
    Screen.render(Frame.forTesting(buffer), model, palette);
    return buffer;
  }

  /** The text of a frame, a line each. */
  public static List<String> lines(Buffer buffer) {
    List<String> lines = new java.util.ArrayList<>();
    for (int y = 0; y < buffer.height(); y++) {
      StringBuilder line = new StringBuilder();
      for (int x = 0; x < buffer.width(); x++) {
        line.append(buffer.get(x, y).symbol());
      }
      lines.add(line.toString().stripTrailing());
    }
    return lines;
  }
}
