package dev.semel.cli.tui;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.cli.tui.view.Palette;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Every state in every size: nothing throws, and every frame fills the terminal. */
class SweepTest {
  private static final List<Integer> WIDTHS =
      List.of(1, 2, 3, 10, 39, 40, 41, 60, 79, 80, 100, 117, 118, 119, 140, 220, 400);
  private static final List<Integer> HEIGHTS =
      List.of(1, 2, 5, 11, 12, 13, 18, 24, 30, 42, 60, 120);

  private static List<TuiModel> states() {
    TuiModel full = Seen.model(140, 40);
    TuiModel empty = TuiModel.begin(140, 40, Seen.NOW);
    List<TuiModel> states = new ArrayList<>();
    for (Panel panel : Panel.values()) {
      states.add(full.on(panel));
      states.add(empty.on(panel));
    }
    states.add(Seen.pressed(full, 'h'));
    states.add(Seen.details(full));
    states.add(Seen.pressed(Seen.details(full), 'd'));
    states.add(Seen.pressed(full, 'c', KeyPress.Kind.ENTER, KeyPress.Kind.DOWN, 'x'));
    states.add(Seen.pressed(full, '/', 'a'));
    states.add(Seen.after(empty, new TuiMessage.Failed(new TuiEffect.Survey(), "away")));
    TuiModel busy = full;
    for (int i = 0; i < TuiModel.MAX_RATES + 10; i++) {
      busy = busy.rated(i % 17);
    }
    states.add(busy.on(Panel.OUTBOX));
    return states;
  }

  @Test
  void nothingThrowsAtAnySize() {
    List<Palette> palettes = new ArrayList<>();
    for (Palette.Depth depth : Palette.Depth.values()) {
      palettes.add(Palette.of(depth, false));
      palettes.add(Palette.of(depth, true));
    }
    int drawn = 0;
    for (TuiModel state : states()) {
      for (int width : WIDTHS) {
        for (int height : HEIGHTS) {
          Palette palette = palettes.get(drawn % palettes.size());
          List<String> lines =
              ScreenSnapshot.lines(ScreenSnapshot.frame(state.sized(width, height), palette));
          assertThat(lines).hasSize(height);
          drawn++;
        }
      }
    }
    assertThat(drawn).isEqualTo(states().size() * WIDTHS.size() * HEIGHTS.size());
  }
}
