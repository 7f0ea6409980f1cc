package dev.semel.cli.tui;

import dev.semel.InvalidInput;
import dev.semel.PrintableText;
import java.util.Locale;
import java.util.Map;

/** How it looks: how many colours there are, and on which ground. */
public record Look(Palette.Depth depth, boolean light) {
  /** As the terminal's environment says. */
  public static Look of(Map<String, String> environment) {
    return new Look(Palette.depth(environment), Palette.light(environment));
  }

  /**
   * As someone chose.
   *
   * @param theme {@code dark}, {@code light} or {@code plain}, in as many colours as there are
   */
  public Look with(String theme) {
    return switch (theme.toLowerCase(Locale.ROOT)) {
      case "dark" -> new Look(depth, false);
      case "light" -> new Look(depth, true);
      case "plain" -> new Look(Palette.Depth.NONE, light);
      default ->
          throw new InvalidInput(
              "there is no theme %s: use dark, light or plain"
                  .formatted(PrintableText.quoted(theme)));
    };
  }

  /** A picture has all colours. */
  Look inColour() {
    return depth == Palette.Depth.NONE ? this : new Look(Palette.Depth.FULL, light);
  }

  /** All colours, on dark ground. */
  public static Look full() {
    return new Look(Palette.Depth.FULL, false);
  }

  Palette palette() {
    return Palette.of(depth, light);
  }
}
