package dev.semel.cli.tui;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.admin.ControlCenter.KeyPage;
import dev.semel.admin.KeyFilter;
import dev.semel.admin.KeyRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class KeyWindowTest {
  private static final int ALL = 1_000_000;

  /** A listing of numbers; a cursor is the number that comes next. */
  private static KeyPage page(String cursor, int all) {
    int from = cursor.isEmpty() ? 0 : Integer.parseInt(cursor);
    int to = Math.min(all, from + KeyWindow.PAGE_ROWS);
    List<KeyRecord> rows = new ArrayList<>();
    for (int i = from; i < to; i++) {
      rows.add(Seen.key("%07d".formatted(i), i));
    }
    return new KeyPage(rows, to == all ? "" : Integer.toString(to));
  }

  private static KeyWindow filled(KeyWindow window, int all) {
    KeyWindow next = window;
    for (Optional<String> cursor = next.needed(); cursor.isPresent(); cursor = next.needed()) {
      next = next.asking(true).with(cursor.get(), page(cursor.get(), all), Seen.NOW);
    }
    return next;
  }

  private static String chosen(KeyWindow window) {
    return window.chosen().orElseThrow().key().id();
  }

  @Test
  void millionKeysAreWalkedThroughAndBackWithAFewPagesHeld() {
    KeyWindow window = filled(KeyWindow.of(KeyFilter.ALL), ALL);
    int step = 97;
    for (int at = step; at < ALL; at += step) {
      window = filled(window.moved(step), ALL);
      if (at % 1000 == 0 || at > ALL - 1000) {
        assertThat(chosen(window)).isEqualTo("%07d".formatted(at));
        assertThat(window.place()).isEqualTo(at + 1);
      }
      assertThat(window.pages().size()).isLessThanOrEqualTo(KeyWindow.MAX_PAGES);
    }
    int last = (ALL - 1) / step * step;
    for (int at = last - step; at >= 0; at -= step) {
      window = filled(window.moved(-step), ALL);
      if (at % 1000 == 0 || at < 1000) {
        assertThat(chosen(window)).isEqualTo("%07d".formatted(at));
      }
      assertThat(window.rows()).isLessThanOrEqualTo(KeyWindow.MAX_PAGES * KeyWindow.PAGE_ROWS);
    }
  }

  @Test
  void sparsePagesOfAFilterAreJoinedAndComeToAnEnd() {
    KeyWindow window = KeyWindow.of(KeyFilter.ALL);
    int asked = 0;
    for (Optional<String> cursor = window.needed(); cursor.isPresent(); cursor = window.needed()) {
      List<KeyRecord> few = asked % 10 == 3 ? List.of(Seen.key("k" + asked, asked)) : List.of();
      String next = asked == 100 ? "" : "c" + asked;
      window = window.asking(true).with(cursor.get(), new KeyPage(few, next), Seen.NOW);
      asked++;
    }
    assertThat(asked).isEqualTo(101);
    assertThat(window.rows()).isEqualTo(10);
    assertThat(window.whole()).isTrue();
  }

  @Test
  void pageThatIsReadAgainKeepsTheChosenKey() {
    KeyWindow window = filled(KeyWindow.of(KeyFilter.ALL), 500).moved(50);
    List<KeyRecord> without = new ArrayList<>(page("", 500).keys());
    without.subList(0, 20).clear();
    KeyWindow again = window.with("", new KeyPage(without, "200"), Seen.NOW);
    assertThat(chosen(again)).isEqualTo("0000050");
    assertThat(again.selected()).isEqualTo(30);
  }
}
