package dev.semel.cli.tui;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.admin.KeyFilter;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Someone who presses faster than pages come. */
class ScrollingTest {
  private static final int ALL = 5000;

  /** Pages that were asked for and did not come yet. */
  private final Deque<Effect.FetchPage> underWay = new ArrayDeque<>();

  private Model model = Seen.model(80, 24).on(Panel.KEYS);

  private void take(Message message) {
    Step step = Reducer.next(model, message);
    model = step.model();
    step.effects().stream()
        .filter(Effect.FetchPage.class::isInstance)
        .map(Effect.FetchPage.class::cast)
        .forEach(underWay::add);
    assertThat(underWay).as("one at a time").hasSizeLessThanOrEqualTo(1);
  }

  private void press(Press.Kind kind, int times) {
    for (int i = 0; i < times; i++) {
      take(new Message.Pressed(Press.of(kind)));
    }
  }

  private void type(char... characters) {
    for (char each : characters) {
      take(new Message.Pressed(Press.of(each)));
    }
  }

  private void oneComes() {
    Effect.FetchPage page = underWay.remove();
    take(
        new Message.Paged(
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
    take(new Message.Failed(underWay.remove(), "no such table"));
  }

  private void begin() {
    model = Model.begin(80, 24, Seen.NOW).on(Panel.KEYS);
    take(new Message.Ticked(Seen.NOW));
    take(new Message.Surveyed(Seen.overview()));
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
    press(Press.Kind.DOWN, 1234);
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
    press(Press.Kind.PAGE_DOWN, 100);
    allCome();
    assertThat(place()).isEqualTo(1 + 100 * 18);
    press(Press.Kind.PAGE_UP, 99);
    assertThat(screen()).as("on the way back too").contains("loading …");
    allCome();
    assertThat(place()).isEqualTo(1 + 18);
  }

  @Test
  void whoTurnsAroundTakesTheWishBack() {
    begin();
    press(Press.Kind.DOWN, 1000);
    press(Press.Kind.UP, 900);
    allCome();
    assertThat(place()).isEqualTo(101);
  }

  @Test
  void wishesEndAtBothEnds() {
    begin();
    press(Press.Kind.DOWN, ALL + 100);
    press(Press.Kind.UP, 1);
    allCome();
    press(Press.Kind.DOWN, ALL);
    allCome();
    assertThat(place()).isEqualTo(ALL);
    assertThat(model.keys().wish()).isEqualTo(Wish.NONE);
    press(Press.Kind.UP, 1);
    assertThat(place()).as("nothing is owed at the end").isEqualTo(ALL - 1);
    press(Press.Kind.UP, 2 * ALL);
    allCome();
    assertThat(place()).isEqualTo(1);
    press(Press.Kind.DOWN, 1);
    assertThat(place()).isEqualTo(2);
  }

  @Test
  void pressesBeforeTheFirstPageCount() {
    model = Model.begin(80, 24, Seen.NOW).on(Panel.KEYS);
    take(new Message.Ticked(Seen.NOW));
    press(Press.Kind.DOWN, 7);
    allCome();
    assertThat(place()).isEqualTo(8);
  }

  @Test
  void pagesAreAskedForLongBeforeTheEdge() {
    begin();
    int asked = 0;
    for (int i = 0; i < 4000; i += 18) {
      press(Press.Kind.PAGE_DOWN, 1);
      assertThat(model.keys().wish()).as("after %d rows", i).isEqualTo(Wish.NONE);
      if (!underWay.isEmpty() && ++asked % 5 == 0) {
        oneComes(); // only with every fifth press
      }
    }
  }

  @Test
  void endGoesOnPageByPageAndSaysSo() {
    begin();
    press(Press.Kind.END, 1);
    assertThat(screen()).contains("to the end, page by page · Esc stops");
    oneComes();
    long between = place();
    assertThat(between).as("it is seen how far it is").isGreaterThan(400).isLessThan(ALL);
    allCome();
    assertThat(place()).isEqualTo(ALL);
    assertThat(screen()).contains("5,000/5,000").doesNotContain("to the end");
    press(Press.Kind.HOME, 1);
    press(Press.Kind.DOWN, 2);
    allCome();
    assertThat(place()).isEqualTo(3);
  }

  @Test
  void escapeAndMovesStopTheWayToTheEnd() {
    begin();
    press(Press.Kind.END, 1);
    oneComes();
    long stopped = place();
    press(Press.Kind.ESCAPE, 1);
    allCome();
    assertThat(place()).isEqualTo(stopped);
    press(Press.Kind.END, 1);
    press(Press.Kind.UP, 3);
    long up = place();
    allCome();
    assertThat(place()).isEqualTo(up).isLessThan(ALL - 3);
  }

  @Test
  void anotherFilterForgetsTheWish() {
    begin();
    press(Press.Kind.DOWN, 1000);
    type('/', 'z');
    assertThat(model.keys().filter()).isEqualTo(new KeyFilter("", "z", Set.of()));
    assertThat(model.keys().wish()).isEqualTo(Wish.NONE);
    press(Press.Kind.DOWN, 2);
    allCome();
    assertThat(place()).as("of the new one").isEqualTo(3);
    assertThat(model.keys().known()).isEqualTo(10);
  }

  @Test
  void wishOutlivesAFailureAndIsNotAskedForOnAndOn() {
    begin();
    press(Press.Kind.DOWN, 1000);
    oneFails();
    assertThat(screen()).contains("no answer, trying again", "keys can't be read: no such table");
    press(Press.Kind.DOWN, 100);
    assertThat(underWay).as("not for every key that is pressed").isEmpty();
    take(new Message.Ticked(Seen.NOW.plus(Model.Agenda.EVERY)));
    assertThat(underWay).hasSize(1);
    allCome();
    assertThat(place()).isEqualTo(1101);
  }

  @Test
  void wishOutlivesAServerThatIsAway() {
    begin();
    press(Press.Kind.DOWN, 1000);
    take(new Message.Failed(new Effect.Survey(), "away"));
    oneFails();
    press(Press.Kind.DOWN, 10);
    take(new Message.Ticked(Seen.NOW.plusSeconds(30)));
    press(Press.Kind.DOWN, 10);
    assertThat(underWay).as("only the survey finds out when it is back").isEmpty();
    assertThat(screen()).contains("no answer, trying again");
    take(new Message.Surveyed(Seen.overview()));
    allCome();
    assertThat(place()).isEqualTo(1021);
  }

  @Test
  void whatIsNotThereYetIsNotOpened() {
    begin();
    press(Press.Kind.DOWN, 1000);
    press(Press.Kind.ENTER, 1);
    assertThat(model.dialog()).isInstanceOf(Dialog.None.class);
    assertThat(screen()).contains("not there yet");
    allCome();
    press(Press.Kind.ENTER, 1);
    assertThat(model.dialog())
        .isInstanceOfSatisfying(
            Dialog.Details.class, d -> assertThat(d.key().id()).isEqualTo(Numbered.id(1000)));
  }

  @Test
  void noMoreIsRememberedThanTheLimitAndThatIsSaid() {
    begin();
    for (int i = 0; i <= Wish.MAX_ROWS / 18 + 100; i++) {
      take(new Message.Pressed(Press.of(Press.Kind.PAGE_DOWN)));
    }
    assertThat(model.keys().wish().rows()).isEqualTo(Wish.MAX_ROWS);
    assertThat(screen()).contains("no more than 100,000 rows ahead are remembered");
  }
}
