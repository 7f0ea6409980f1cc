package dev.semel.cli.tui.view;

import dev.semel.InvalidInput;
import dev.semel.internal.PrintableText;
import java.util.Locale;
import java.util.Map;

/** How it looks: how many colours there are, and on which ground. */
public record TerminalStyle(Palette.Depth depth, boolean light) {
  /** As the terminal's environment says. */
  public static TerminalStyle of(Map<String, String> environment) {
    return new TerminalStyle(Palette.depth(environment), Palette.light(environment));
  }

  /**
   * As someone chose.
   *
   * @param theme {@code dark}, {@code light} or {@code plain}, in as many colours as there are
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

  /** A picture has all colours. */
  public TerminalStyle inColour() {
    return depth == Palette.Depth.NONE ? this : new TerminalStyle(Palette.Depth.FULL, light);
  }

  /** All colours, on dark ground. */
  public static TerminalStyle full() {
    return new TerminalStyle(Palette.Depth.FULL, false);
  }

  public Palette palette() {
    return Palette.of(depth, light);
  }
}
