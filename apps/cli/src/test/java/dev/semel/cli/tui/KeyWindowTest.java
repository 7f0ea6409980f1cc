package dev.semel.cli.tui;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.admin.ControlCenter.KeyPage;
import dev.semel.admin.KeyFilter;
import dev.semel.admin.KeyRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class KeyWindowTest {
  private static final int ALL = 1_000_000;

  /** Limit of held rows beside the chosen one, with the page that is dropped next. */
  private static final int MOST_ROWS = 2 * (KeyPages.KEPT + KeyWindow.FAR_ROWS);

  private static KeyWindow answered(KeyWindow window, KeyPages.Ask ask, KeyPage page) {
    return window.reading(KeyWindow.Reading.ASKED).with(ask, page, Seen.NOW);
  }

  private static KeyWindow filled(KeyWindow window, int all) {
    KeyWindow next = window;
    for (Optional<KeyPages.Ask> ask = next.needed(); ask.isPresent(); ask = next.needed()) {
      next = answered(next, ask.get(), Numbered.page(ask.get(), all));
    }
    return next;
  }

  private static KeyWindow of(int all) {
    return filled(KeyWindow.of(KeyFilter.ALL), all);
  }

  private static String chosen(KeyWindow window) {
    return window.chosen().orElseThrow().key().id();
  }

  @Test
  void manyKeysAreWalkedThroughAndBackWithAFewPagesHeld() {
    walksThroughAndBack(60_000);
  }

  @Test
  @Tag("proof")
  void millionKeysAreWalkedThroughAndBackWithAFewPagesHeld() {
    walksThroughAndBack(ALL);
  }

  private static void walksThroughAndBack(int all) {
    KeyWindow window = of(all);
    int step = 97;
    for (int at = step; at < all; at += step) {
      window = filled(window.moved(step), all);
      if (at % 1000 == 0 || at > all - 1000) {
        assertThat(chosen(window)).isEqualTo(Numbered.id(at));
        assertThat(window.place()).isEqualTo(at + 1);
      }
      assertThat(window.rows()).isLessThanOrEqualTo(MOST_ROWS);
    }
    int last = (all - 1) / step * step;
    for (int at = last - step; at >= 0; at -= step) {
      window = filled(window.moved(-step), all);
      if (at % 1000 == 0 || at < 1000) {
        assertThat(chosen(window)).isEqualTo(Numbered.id(at));
      }
      assertThat(window.rows()).isLessThanOrEqualTo(MOST_ROWS);
    }
  }

  @Test
  void theEndOfManyKeysIsReachedPageByPageAndTheWayBackIsKnown() {
    reachesTheEnd((int) PendingScroll.MAX_ROWS + 5 * KeyWindow.FAR_ROWS);
  }

  @Test
  @Tag("proof")
  void theEndOfAMillionKeysIsReachedPageByPageAndTheWayBackIsKnown() {
    reachesTheEnd(ALL);
  }

  private static void reachesTheEnd(int all) {
    KeyWindow window = of(all).toEnd();
    int asked = 0;
    for (Optional<KeyPages.Ask> ask = window.needed(); ask.isPresent(); ask = window.needed()) {
      window = answered(window, ask.get(), Numbered.page(ask.get(), all));
      assertThat(window.rows()).isLessThanOrEqualTo(MOST_ROWS);
      asked++;
    }
    assertThat(chosen(window)).isEqualTo(Numbered.id(all - 1));
    assertThat(window.place()).isEqualTo(all);
    assertThat(window.wish()).isEqualTo(PendingScroll.NONE);
    assertThat(asked).as("by large pages").isLessThanOrEqualTo(all / KeyWindow.FAR_ROWS + 1);
    window = filled(window.moved(-PendingScroll.MAX_ROWS), all);
    assertThat(chosen(window)).isEqualTo(Numbered.id(all - 1 - (int) PendingScroll.MAX_ROWS));
  }

  @Test
  void goingToAndFroAtAnyPlaceAsksForNothingAgain() {
    KeyWindow window = of(ALL);
    for (int at = 0; at < 3000; at++) {
      window = filled(window.moved(1), ALL);
      KeyWindow back = filled(window.moved(-1), ALL).moved(1);
      assertThat(back.needed()).as("at %d", at).isEmpty();
    }
  }

  @Test
  void theWayBackHasALimitAndHomeStillLeadsToTheBeginning() {
    int all = (KeyPages.MAX_STARTS + 50) * KeyWindow.FAR_ROWS;
    KeyWindow window = of(all).toEnd();
    for (Optional<KeyPages.Ask> ask = window.needed(); ask.isPresent(); ask = window.needed()) {
      // Only the number of rows matters here.
      window = answered(window, ask.get(), Numbered.sameRows(ask.get(), all));
    }
    assertThat(window.pages().starts()).hasSize(KeyPages.MAX_STARTS);
    assertThat(window.place()).isEqualTo(all);
    for (int page = 1; page < KeyPages.MAX_STARTS; page++) {
      window = window.moved(-KeyWindow.FAR_ROWS);
      Optional<KeyPages.Ask> ask = window.needed();
      if (ask.isPresent()) {
        window = answered(window, ask.get(), Numbered.sameRows(ask.get(), all));
      }
    }
    window = window.moved(-2 * KeyWindow.FAR_ROWS);
    assertThat(window.pages().cutOff()).isTrue();
    assertThat(window.moved(-1).wish()).isEqualTo(PendingScroll.NONE);
    assertThat(filled(window.toBeginning(), all).place()).isEqualTo(1);
  }

  @Test
  void sparsePagesOfAFilterAreJoinedAndComeToAnEnd() {
    KeyWindow window = KeyWindow.of(KeyFilter.ALL);
    int asked = 0;
    for (Optional<KeyPages.Ask> ask = window.needed(); ask.isPresent(); ask = window.needed()) {
      List<KeyRecord> few = asked % 10 == 3 ? List.of(Seen.key("k" + asked, asked)) : List.of();
      String next = asked == 100 ? "" : "c" + asked;
      window = answered(window, ask.get(), new KeyPage(few, next));
      asked++;
    }
    assertThat(asked).isEqualTo(101);
    assertThat(window.rows()).isEqualTo(10);
    assertThat(window.whole()).isTrue();
  }

  @Test
  void noRowIsLeftOutOrRepeatedOnTheWayBackOverJoinedPages() {
    int all = 4000;
    int few = 30;
    KeyWindow window = sparse(KeyWindow.of(KeyFilter.ALL), few, all);
    for (int at = 1; at < all; at++) {
      window = sparse(window.moved(1), few, all);
      assertThat(chosen(window)).isEqualTo(Numbered.id(at));
    }
    for (int at = all - 2; at >= 0; at--) {
      window = sparse(window.moved(-1), few, all);
      assertThat(chosen(window)).isEqualTo(Numbered.id(at));
      assertThat(window.place()).isEqualTo(at + 1);
    }
  }

  /** Pages come with fewer rows than requested. */
  private static KeyWindow sparse(KeyWindow window, int few, int all) {
    KeyWindow next = window;
    for (Optional<KeyPages.Ask> ask = next.needed(); ask.isPresent(); ask = next.needed()) {
      KeyPages.Ask less = new KeyPages.Ask(ask.get().cursor(), few);
      next = answered(next, ask.get(), Numbered.page(less, all));
    }
    return next;
  }

  @Test
  void pageBeforeThatEndsElsewhereNowDoesNotShowRowsTwice() {
    KeyWindow window = of(ALL);
    for (int i = 0; i < 1200; i++) {
      window = filled(window.moved(1), ALL);
    }
    KeyPages.Ask before = window.pages().previous().orElseThrow();
    for (int i = 0; i < 1200 && window.needed().isEmpty(); i++) {
      window = window.moved(-1);
    }
    assertThat(window.needed()).contains(before);
    // Ten keys were deleted: the page reaches ten rows into the next one.
    int from = Integer.parseInt(before.cursor());
    List<KeyRecord> rows = new ArrayList<>();
    for (int i = from + 10; i < from + 10 + before.rows(); i++) {
      rows.add(Seen.key(Numbered.id(i), i));
    }
    String next = Integer.toString(from + 10 + before.rows());
    window = filled(answered(window, before, new KeyPage(rows, next)), ALL);
    List<String> ids = new ArrayList<>();
    for (int i = 0; i < window.rows(); i++) {
      ids.add(window.row(i).orElseThrow().record().key().id());
    }
    assertThat(ids).doesNotHaveDuplicates().isSorted();
  }

  @Test
  void pageThatIsReadAgainKeepsTheChosenKey() {
    KeyWindow window = of(500).moved(50);
    List<KeyRecord> without = new ArrayList<>(Numbered.page(Seen.BEGINNING, 500).keys());
    without.subList(0, 20).clear();
    KeyWindow again = window.with(Seen.BEGINNING, new KeyPage(without, "200"), Seen.NOW);
    assertThat(chosen(again)).isEqualTo("0000050");
    assertThat(again.selected()).isEqualTo(30);
  }

  @Test
  void listingWithoutRowsIsReadAgainToo() {
    KeyWindow empty =
        answered(KeyWindow.of(KeyFilter.ALL), Seen.BEGINNING, new KeyPage(List.of(), ""));
    assertThat(empty.stale()).contains(Seen.BEGINNING);
  }
}
