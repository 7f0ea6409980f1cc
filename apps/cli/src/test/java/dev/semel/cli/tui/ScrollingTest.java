package dev.semel.cli.tui;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.admin.KeyFilter;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A user presses keys faster than pages come. */
class ScrollingTest {
  private static final int ALL = 5000;

  /** Requested pages that have not come yet. */
  private final Deque<TuiEffect.FetchPage> underWay = new ArrayDeque<>();

  private TuiModel model = Seen.model(80, 24).on(Panel.KEYS);

  private void take(TuiMessage message) {
    TuiStep step = Reducer.next(model, message);
    model = step.model();
    step.effects().stream()
        .filter(TuiEffect.FetchPage.class::isInstance)
        .map(TuiEffect.FetchPage.class::cast)
        .forEach(underWay::add);
    assertThat(underWay).as("one at a time").hasSizeLessThanOrEqualTo(1);
  }

  private void press(KeyPress.Kind kind, int times) {
    for (int i = 0; i < times; i++) {
      take(new TuiMessage.Pressed(KeyPress.of(kind)));
    }
  }

  private void type(char... characters) {
    for (char each : characters) {
      take(new TuiMessage.Pressed(KeyPress.of(each)));
    }
  }

  private void oneComes() {
    TuiEffect.FetchPage page = underWay.remove();
    take(
        new TuiMessage.Paged(
            page.filter(),
            page.page(),
            page.filter().equals(KeyFilter.ALL)
                ? Numbered.page(page.page(), ALL)
                : Numbered.page(page.page(), 10)));
  }

  private void allCome() {
    while (!underWay.isEmpty()) {
      oneComes();
    }
  }

  private void oneFails() {
    take(new TuiMessage.Failed(underWay.remove(), "no such table"));
  }

  private void begin() {
    model = TuiModel.begin(80, 24, Seen.NOW).on(Panel.KEYS);
    take(new TuiMessage.Ticked(Seen.NOW));
    take(new TuiMessage.Surveyed(Seen.overview()));
    allCome();
  }

  private long place() {
    return model.keys().place();
  }

  private String screen() {
    return Seen.text(model);
  }

  @Test
  void pressesBeyondWhatWasReadAreDoneWhenItIsThere() {
    begin();
    press(KeyPress.Kind.DOWN, 1234);
    assertThat(place()).as("what was read").isLessThan(1235);
    assertThat(screen()).contains("loading …");
    oneComes();
    assertThat(place()).isGreaterThan(400).isLessThanOrEqualTo(1235);
    allCome();
    assertThat(place()).isEqualTo(1235);
    assertThat(model.keys().chosen().orElseThrow().key().id()).isEqualTo(Numbered.id(1234));
    assertThat(screen()).doesNotContain("loading");
  }

  @Test
  void pagesDownAndUpAreAllDone() {
    begin();
    press(KeyPress.Kind.PAGE_DOWN, 100);
    allCome();
    assertThat(place()).isEqualTo(1 + 100 * 18);
    press(KeyPress.Kind.PAGE_UP, 99);
    assertThat(screen()).as("on the way back too").contains("loading …");
    allCome();
    assertThat(place()).isEqualTo(1 + 18);
  }

  @Test
  void whoTurnsAroundTakesTheWishBack() {
    begin();
    press(KeyPress.Kind.DOWN, 1000);
    press(KeyPress.Kind.UP, 900);
    allCome();
    assertThat(place()).isEqualTo(101);
  }

  @Test
  void wishesEndAtBothEnds() {
    begin();
    press(KeyPress.Kind.DOWN, ALL + 100);
    press(KeyPress.Kind.UP, 1);
    allCome();
    press(KeyPress.Kind.DOWN, ALL);
    allCome();
    assertThat(place()).isEqualTo(ALL);
    assertThat(model.keys().wish()).isEqualTo(PendingScroll.NONE);
    press(KeyPress.Kind.UP, 1);
    assertThat(place()).as("nothing is owed at the end").isEqualTo(ALL - 1);
    press(KeyPress.Kind.UP, 2 * ALL);
    allCome();
    assertThat(place()).isEqualTo(1);
    press(KeyPress.Kind.DOWN, 1);
    assertThat(place()).isEqualTo(2);
  }

  @Test
  void pressesBeforeTheFirstPageCount() {
    model = TuiModel.begin(80, 24, Seen.NOW).on(Panel.KEYS);
    take(new TuiMessage.Ticked(Seen.NOW));
    press(KeyPress.Kind.DOWN, 7);
    allCome();
    assertThat(place()).isEqualTo(8);
  }

  @Test
  void pagesAreAskedForLongBeforeTheEdge() {
    begin();
    int asked = 0;
    for (int i = 0; i < 4000; i += 18) {
      press(KeyPress.Kind.PAGE_DOWN, 1);
      assertThat(model.keys().wish()).as("after %d rows", i).isEqualTo(PendingScroll.NONE);
      if (!underWay.isEmpty() && ++asked % 5 == 0) {
        oneComes(); // only with every fifth press
      }
    }
  }

  @Test
  void endGoesOnPageByPageAndSaysSo() {
    begin();
    press(KeyPress.Kind.END, 1);
    assertThat(screen()).contains("to the end, page by page · Esc stops");
    oneComes();
    long between = place();
    assertThat(between).as("it is seen how far it is").isGreaterThan(400).isLessThan(ALL);
    allCome();
    assertThat(place()).isEqualTo(ALL);
    assertThat(screen()).contains("5,000/5,000").doesNotContain("to the end");
    press(KeyPress.Kind.HOME, 1);
    press(KeyPress.Kind.DOWN, 2);
    allCome();
    assertThat(place()).isEqualTo(3);
  }

  @Test
  void escapeAndMovesStopTheWayToTheEnd() {
    begin();
    press(KeyPress.Kind.END, 1);
    oneComes();
    long stopped = place();
    press(KeyPress.Kind.ESCAPE, 1);
    allCome();
    assertThat(place()).isEqualTo(stopped);
    press(KeyPress.Kind.END, 1);
    press(KeyPress.Kind.UP, 3);
    long up = place();
    allCome();
    assertThat(place()).isEqualTo(up).isLessThan(ALL - 3);
  }

  @Test
  void anotherFilterForgetsTheWish() {
    begin();
    press(KeyPress.Kind.DOWN, 1000);
    type('/', 'z');
    assertThat(model.keys().filter()).isEqualTo(new KeyFilter("", "z", Set.of()));
    assertThat(model.keys().wish()).isEqualTo(PendingScroll.NONE);
    press(KeyPress.Kind.DOWN, 2);
    allCome();
    assertThat(place()).as("of the new one").isEqualTo(3);
    assertThat(model.keys().known()).isEqualTo(10);
  }

  @Test
  void wishOutlivesAFailureAndIsNotAskedForOnAndOn() {
    begin();
    press(KeyPress.Kind.DOWN, 1000);
    oneFails();
    assertThat(screen()).contains("no answer, trying again", "keys can't be read: no such table");
    press(KeyPress.Kind.DOWN, 100);
    assertThat(underWay).as("not for every key that is pressed").isEmpty();
    take(new TuiMessage.Ticked(Seen.NOW.plus(TuiModel.Agenda.EVERY)));
    assertThat(underWay).hasSize(1);
    allCome();
    assertThat(place()).isEqualTo(1101);
  }

  @Test
  void wishOutlivesAServerThatIsAway() {
    begin();
    press(KeyPress.Kind.DOWN, 1000);
    take(new TuiMessage.Failed(new TuiEffect.Survey(), "away"));
    oneFails();
    press(KeyPress.Kind.DOWN, 10);
    take(new TuiMessage.Ticked(Seen.NOW.plusSeconds(30)));
    press(KeyPress.Kind.DOWN, 10);
    assertThat(underWay).as("only the survey finds out when it is back").isEmpty();
    assertThat(screen()).contains("no answer, trying again");
    take(new TuiMessage.Surveyed(Seen.overview()));
    allCome();
    assertThat(place()).isEqualTo(1021);
  }

  @Test
  void whatIsNotThereYetIsNotOpened() {
    begin();
    press(KeyPress.Kind.DOWN, 1000);
    press(KeyPress.Kind.ENTER, 1);
    assertThat(model.dialog()).isInstanceOf(OverlayDialog.None.class);
    assertThat(screen()).contains("not there yet");
    allCome();
    press(KeyPress.Kind.ENTER, 1);
    assertThat(model.dialog())
        .isInstanceOfSatisfying(
            OverlayDialog.Details.class,
            d -> assertThat(d.key().id()).isEqualTo(Numbered.id(1000)));
  }

  @Test
  void noMoreIsRememberedThanTheLimitAndThatIsSaid() {
    begin();
    for (int i = 0; i <= PendingScroll.MAX_ROWS / 18 + 100; i++) {
      take(new TuiMessage.Pressed(KeyPress.of(KeyPress.Kind.PAGE_DOWN)));
    }
    assertThat(model.keys().wish().rows()).isEqualTo(PendingScroll.MAX_ROWS);
    assertThat(screen()).contains("no more than 100,000 rows ahead are remembered");
  }
}
