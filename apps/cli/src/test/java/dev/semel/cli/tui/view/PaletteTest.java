package dev.semel.cli.tui.view;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tamboui.style.Color;
import dev.tamboui.style.Style;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PaletteTest {
  private static final double LEAST_CONTRAST = 4.5;
  private static final double LEAST_OF_SIXTEEN = 3;

  /** The contrast of WCAG 2, from 1 to 21. */
  private static double contrast(Color.Rgb one, Color.Rgb other) {
    double a = luminance(one);
    double b = luminance(other);
    return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
  }

  private static double luminance(Color.Rgb colour) {
    return 0.2126 * linear(colour.r()) + 0.7152 * linear(colour.g()) + 0.0722 * linear(colour.b());
  }

  private static double linear(int part) {
    double value = part / 255.0;
    return value <= 0.04045 ? value / 12.92 : Math.pow((value + 0.055) / 1.055, 2.4);
  }

  @Test
  void everyTextIsLegibleOnItsGround() {
    for (Palette.Depth depth : Palette.Depth.values()) {
      if (depth == Palette.Depth.NONE) {
        continue;
      }
      for (boolean light : new boolean[] {true, false}) {
        Palette palette = Palette.of(depth, light);
        for (TextTone tone : TextTone.values()) {
          if (tone == TextTone.BORDER) {
            continue; // lines, not text
          }
          Style style = palette.ground().patch(palette.of(tone));
          double contrast =
              contrast(style.fg().orElseThrow().toRgb(), style.bg().orElseThrow().toRgb());
          assertThat(contrast)
              .as("%s on %s, light: %s", tone, depth, light)
              .isGreaterThanOrEqualTo(
                  depth == Palette.Depth.SIXTEEN ? LEAST_OF_SIXTEEN : LEAST_CONTRAST);
        }
      }
    }
  }

  @Test
  void withoutColourThereIsNone() {
    Palette plain = Palette.of(Palette.Depth.NONE, false);
    for (TextTone tone : TextTone.values()) {
      assertThat(plain.of(tone).fg()).isEmpty();
      assertThat(plain.of(tone).bg()).isEmpty();
    }
    assertThat(plain.of(TextTone.CHOSEN)).isNotEqualTo(Style.EMPTY);
  }

  @Test
  void terminalsSayWhatTheyCan() {
    assertThat(Palette.depth(Map.of("TERM", "xterm-256color", "NO_COLOR", "1")))
        .isEqualTo(Palette.Depth.NONE);
    assertThat(Palette.depth(Map.of("TERM", "xterm-256color", "COLORTERM", "truecolor")))
        .isEqualTo(Palette.Depth.FULL);
    assertThat(Palette.depth(Map.of("TERM", "screen-256color"))).isEqualTo(Palette.Depth.INDEXED);
    assertThat(Palette.depth(Map.of("TERM", "linux"))).isEqualTo(Palette.Depth.SIXTEEN);
    assertThat(Palette.depth(Map.of("TERM", "dumb"))).isEqualTo(Palette.Depth.NONE);
    assertThat(Palette.light(Map.of("COLORFGBG", "0;15"))).isTrue();
    assertThat(Palette.light(Map.of("COLORFGBG", "15;default;0"))).isFalse();
    assertThat(Palette.light(Map.of())).isFalse();
  }
}
