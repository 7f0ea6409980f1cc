package dev.semel.cli.tui.view;

import dev.tamboui.style.AnsiColor;
import dev.tamboui.style.Color;
import dev.tamboui.style.Style;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.UnaryOperator;

/**
 * Styles of tones on a terminal. With colours, both text and background are ours, so that
 * legibility does not depend on the terminal's colours.
 *
 * @param ground the style of the background
 */
public record Palette(Style ground, Map<TextTone, Style> styles) {
  private static final int FIRST_FIXED = 16;
  private static final int COLOURS = 256;

  /** Number of colours. */
  public enum Depth {
    NONE,
    SIXTEEN,
    INDEXED,
    FULL
  }

  public Palette {
    styles = Map.copyOf(styles);
  }

  Style of(TextTone tone) {
    return styles.getOrDefault(tone, Style.EMPTY);
  }

  public static Palette of(Depth depth, boolean light) {
    return switch (depth) {
      case NONE -> plain();
      case SIXTEEN -> light ? sixteenOnWhite() : sixteenOnBlack();
      case INDEXED -> colours(light, Palette::nearest);
      case FULL -> colours(light, UnaryOperator.identity());
    };
  }

  /** Derives the depth from a terminal's environment variables. */
  static Depth depth(Map<String, String> environment) {
    String term = environment.getOrDefault("TERM", "").toLowerCase(Locale.ROOT);
    String colours = environment.getOrDefault("COLORTERM", "").toLowerCase(Locale.ROOT);
    if (!environment.getOrDefault("NO_COLOR", "").isEmpty()
        || term.equals("dumb")
        || term.startsWith("vt")) {
      return Depth.NONE;
    }
    if (colours.equals("truecolor") || colours.equals("24bit") || term.endsWith("-direct")) {
      return Depth.FULL;
    }
    return term.contains("256color") ? Depth.INDEXED : Depth.SIXTEEN;
  }

  /** Some terminals announce their colours: {@code 0;15} is black on white. */
  static boolean light(Map<String, String> environment) {
    String colours = environment.getOrDefault("COLORFGBG", "");
    String ground = colours.substring(colours.lastIndexOf(';') + 1);
    return ground.equals("7") || ground.matches("9|1[0-5]");
  }

  private static Palette plain() {
    Map<TextTone, Style> styles = new EnumMap<>(TextTone.class);
    for (TextTone tone : TextTone.values()) {
      styles.put(
          tone,
          switch (tone) {
            case PLAIN, BORDER, GOOD, MUTED, INFO -> Style.EMPTY;
            case STRONG, ACCENT, WARN, FOCUS -> Style.EMPTY.bold();
            case BAD -> Style.EMPTY.bold().underlined();
            case CHOSEN, BUTTON, BUTTON_GOOD, BUTTON_BAD -> Style.EMPTY.reversed();
          });
    }
    return new Palette(Style.EMPTY, styles);
  }

  private static Palette sixteenOnBlack() {
    Map<TextTone, Style> styles = new EnumMap<>(TextTone.class);
    Style ground = ansi(AnsiColor.WHITE).bg(Color.ansi(AnsiColor.BLACK));
    styles.put(TextTone.PLAIN, ansi(AnsiColor.WHITE));
    styles.put(TextTone.STRONG, ansi(AnsiColor.BRIGHT_WHITE).bold());
    styles.put(TextTone.MUTED, ansi(AnsiColor.WHITE));
    styles.put(TextTone.ACCENT, ansi(AnsiColor.BRIGHT_CYAN));
    styles.put(TextTone.GOOD, ansi(AnsiColor.BRIGHT_GREEN));
    styles.put(TextTone.WARN, ansi(AnsiColor.BRIGHT_YELLOW));
    styles.put(TextTone.BAD, ansi(AnsiColor.BRIGHT_RED).bold());
    styles.put(TextTone.INFO, ansi(AnsiColor.BRIGHT_MAGENTA));
    styles.put(TextTone.FOCUS, ansi(AnsiColor.BRIGHT_CYAN));
    styles.put(TextTone.BORDER, ansi(AnsiColor.WHITE));
    buttons(styles, AnsiColor.BRIGHT_WHITE, AnsiColor.BLACK, AnsiColor.WHITE);
    return new Palette(ground, styles);
  }

  private static Palette sixteenOnWhite() {
    Map<TextTone, Style> styles = new EnumMap<>(TextTone.class);
    Style ground = ansi(AnsiColor.BLACK).bg(Color.ansi(AnsiColor.BRIGHT_WHITE));
    styles.put(TextTone.PLAIN, ansi(AnsiColor.BLACK));
    styles.put(TextTone.STRONG, ansi(AnsiColor.BLACK).bold());
    styles.put(TextTone.MUTED, ansi(AnsiColor.BLACK));
    styles.put(TextTone.ACCENT, ansi(AnsiColor.BLUE));
    styles.put(TextTone.GOOD, ansi(AnsiColor.BLACK));
    styles.put(TextTone.WARN, ansi(AnsiColor.MAGENTA));
    styles.put(TextTone.BAD, ansi(AnsiColor.RED).bold());
    styles.put(TextTone.INFO, ansi(AnsiColor.MAGENTA));
    styles.put(TextTone.FOCUS, ansi(AnsiColor.BLUE));
    styles.put(TextTone.BORDER, ansi(AnsiColor.BLACK));
    buttons(styles, AnsiColor.BLUE, AnsiColor.BRIGHT_WHITE, AnsiColor.BLACK);
    return new Palette(ground, styles);
  }

  private static void buttons(
      Map<TextTone, Style> styles, AnsiColor chosen, AnsiColor text, AnsiColor button) {
    styles.put(TextTone.CHOSEN, ansi(text).bg(Color.ansi(chosen)));
    styles.put(TextTone.BUTTON, ansi(text).bg(Color.ansi(button)));
    styles.put(TextTone.BUTTON_GOOD, ansi(text).bg(Color.ansi(button)).bold());
    styles.put(
        TextTone.BUTTON_BAD, ansi(AnsiColor.BRIGHT_WHITE).bg(Color.ansi(AnsiColor.RED)).bold());
  }

  private static Style ansi(AnsiColor colour) {
    return Style.EMPTY.fg(Color.ansi(colour));
  }

  private static Palette colours(boolean light, UnaryOperator<Color> shown) {
    Map<TextTone, Style> styles = new EnumMap<>(TextTone.class);
    String strong = light ? "#0d1117" : "#f5f9ff";
    styles.put(TextTone.PLAIN, text(shown, light ? "#1f2328" : "#e6edf3"));
    styles.put(TextTone.STRONG, text(shown, strong).bold());
    styles.put(TextTone.MUTED, text(shown, light ? "#57606a" : "#9198a1"));
    styles.put(TextTone.ACCENT, text(shown, light ? "#0550ae" : "#58a6ff"));
    styles.put(TextTone.GOOD, text(shown, light ? "#116329" : "#3fb950"));
    styles.put(TextTone.WARN, text(shown, light ? "#8a4600" : "#ffa657"));
    styles.put(TextTone.BAD, text(shown, light ? "#b31d28" : "#ff7b72"));
    styles.put(TextTone.INFO, text(shown, light ? "#6639ba" : "#bc8cff"));
    styles.put(TextTone.FOCUS, text(shown, light ? "#0550ae" : "#58a6ff"));
    styles.put(TextTone.BORDER, text(shown, light ? "#afb8c1" : "#3d444d"));
    styles.put(TextTone.CHOSEN, on(shown, strong, light ? "#d0e4ff" : "#1f3a5f"));
    styles.put(TextTone.BUTTON, on(shown, strong, light ? "#d1d9e0" : "#30363d"));
    styles.put(TextTone.BUTTON_GOOD, on(shown, "#ffffff", "#1a6e2e").bold());
    styles.put(TextTone.BUTTON_BAD, on(shown, "#ffffff", "#b31d28").bold());
    Style ground = on(shown, light ? "#1f2328" : "#e6edf3", light ? "#ffffff" : "#0d1117");
    return new Palette(ground, styles);
  }

  private static Style text(UnaryOperator<Color> shown, String hex) {
    return Style.EMPTY.fg(shown.apply(Color.hex(hex)));
  }

  private static Style on(UnaryOperator<Color> shown, String text, String ground) {
    return text(shown, text).bg(shown.apply(Color.hex(ground)));
  }

  /** The nearest of the colours that are equal on all terminals with 256 colours. */
  private static Color nearest(Color colour) {
    Color.Rgb wanted = colour.toRgb();
    int best = FIRST_FIXED;
    int least = Integer.MAX_VALUE;
    for (int index = FIRST_FIXED; index < COLOURS; index++) {
      Color.Rgb there = Color.indexed(index).toRgb();
      int red = there.r() - wanted.r();
      int green = there.g() - wanted.g();
      int blue = there.b() - wanted.b();
      int distance = red * red + green * green + blue * blue;
      if (distance < least) {
        least = distance;
        best = index;
      }
    }
    return Color.indexed(best);
  }
}
