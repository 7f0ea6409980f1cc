package dev.semel.cli.tui.view;

import dev.semel.InvalidInput;
import dev.semel.internal.PrintableText;
import java.util.Locale;
import java.util.Map;

/** Style of the output: number of colours, and light or dark background. */
public record TerminalStyle(Palette.Depth depth, boolean light) {
  /** The style that the terminal's environment announces. */
  public static TerminalStyle of(Map<String, String> environment) {
    return new TerminalStyle(Palette.depth(environment), Palette.light(environment));
  }

  /**
   * The style that the user chose.
   *
   * @param theme {@code dark}, {@code light} or {@code plain}, with the same number of colours
   */
  public TerminalStyle with(String theme) {
    return switch (theme.toLowerCase(Locale.ROOT)) {
      case "dark" -> new TerminalStyle(depth, false);
      case "light" -> new TerminalStyle(depth, true);
      case "plain" -> new TerminalStyle(Palette.Depth.NONE, light);
      default ->
          throw new InvalidInput(
              "there is no theme %s: use dark, light or plain"
                  .formatted(PrintableText.quoted(theme)));
    };
  }

  /** Returns it with all colours, for pictures. */
  public TerminalStyle inColour() {
    return depth == Palette.Depth.NONE ? this : new TerminalStyle(Palette.Depth.FULL, light);
  }

  /** All colours, on a dark background. */
  public static TerminalStyle full() {
    return new TerminalStyle(Palette.Depth.FULL, false);
  }

  public Palette palette() {
    return Palette.of(depth, light);
  }
}
