package dev.semel.cli.tui;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Key;
import dev.semel.Operation;
import dev.semel.admin.ControlCenter.KeyPage;
import dev.semel.admin.KeyFilter;
import dev.semel.idempotency.OperationSetting;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ReducerTest {
  private final TuiModel model = Seen.model(140, 40);

  private static TuiStep press(TuiModel model, Object press) {
    return Reducer.next(model, new TuiMessage.Pressed(Seen.press(press)));
  }

  private static TuiStep control(TuiModel model, char letter) {
    return Reducer.next(model, new TuiMessage.Pressed(KeyPress.control(letter)));
  }

  @Test
  void everyShortcutOfTheTable() {
    assertThat(press(model, KeyPress.Kind.TAB).model().panel()).isEqualTo(Panel.KEYS);
    assertThat(press(model, 'c').model().panel()).isEqualTo(Panel.CONFIG);
    assertThat(press(model, 'k').model().panel()).isEqualTo(Panel.KEYS);
    assertThat(press(model, 'o').model().panel()).isEqualTo(Panel.OUTBOX);
    assertThat(press(model, '4').model().panel()).isEqualTo(Panel.CONFIG);
    assertThat(press(model, 's').effects()).containsExactly(new TuiEffect.Export());
    assertThat(press(model, 'h').model().dialog()).isInstanceOf(OverlayDialog.Help.class);
    assertThat(press(model, 'q').model().left()).isTrue();
    assertThat(control(model, 'c').model().left()).isTrue();
    assertThat(press(model, 'r').effects())
        .contains(new TuiEffect.Survey(), new TuiEffect.Listen("15"));
    assertThat(press(Seen.pressed(model, 'c'), 'f').effects())
        .containsExactly(new TuiEffect.CleanUp());
    assertThat(press(model, 'f').effects()).as("only in the configuration").isEmpty();
  }

  @Test
  void deletionIsAskedForAndOnlyYesDoesIt() {
    TuiModel asked = Seen.pressed(Seen.details(model), 'd');
    Key key = model.keys().chosen().orElseThrow().key();
    assertThat(asked.dialog()).isInstanceOf(OverlayDialog.Confirm.class);
    for (Object other : List.of('d', KeyPress.Kind.ENTER, 'n', KeyPress.Kind.ESCAPE)) {
      assertThat(press(asked, other).effects()).isEmpty();
    }
    assertThat(press(asked, 'n').model().dialog()).isInstanceOf(OverlayDialog.Details.class);
    assertThat(press(asked, 'y').effects()).containsExactly(new TuiEffect.Delete(key));
  }

  @Test
  void resetIsAskedForInTheConfigurationAlone() {
    assertThat(control(model, 'r').model().dialog()).isInstanceOf(OverlayDialog.None.class);
    TuiStep asked = control(Seen.pressed(model, 'c'), 'r');
    assertThat(asked.effects()).isEmpty();
    assertThat(press(asked.model(), 'y').effects()).containsExactly(new TuiEffect.ResetCounts());
  }

  @Test
  void settingsAreCheckedBeforeTheyAreSent() {
    TuiModel form =
        Seen.pressed(model, 'c', KeyPress.Kind.ENTER, KeyPress.Kind.RIGHT, KeyPress.Kind.RIGHT);
    assertThat(press(form, KeyPress.Kind.ENTER).effects())
        .containsExactly(
            new TuiEffect.Change(
                new Operation("payments"), Map.of(OperationSetting.MODE, "observe")));
    TuiModel wrong = Seen.pressed(model, 'c', KeyPress.Kind.ENTER, KeyPress.Kind.DOWN, 'x');
    TuiStep refused = press(wrong, KeyPress.Kind.ENTER);
    assertThat(refused.effects()).isEmpty();
    assertThat(Seen.text(refused.model())).contains("retention can't be \"24hx\"");
  }

  @Test
  void eachThingIsAskedForOnceAtATime() {
    TuiModel begin = TuiModel.begin(140, 40, Seen.NOW);
    TuiStep first = Reducer.next(begin, new TuiMessage.Ticked(Seen.NOW));
    assertThat(first.effects())
        .containsExactlyInAnyOrder(
            new TuiEffect.Survey(),
            new TuiEffect.Listen(""),
            new TuiEffect.FetchPage(KeyFilter.ALL, Seen.BEGINNING));
    TuiStep second = Reducer.next(first.model(), new TuiMessage.Ticked(Seen.NOW.plusSeconds(60)));
    assertThat(second.effects()).as("while all are under way").isEmpty();
  }

  @Test
  void slowStoreIsAskedLessOften() {
    OverviewData quick = Seen.overview();
    OverviewData slow =
        new OverviewData(
            quick.stats(),
            quick.queues(),
            quick.health(),
            quick.alerts(),
            quick.counsel(),
            quick.outbox(),
            Duration.ofSeconds(1),
            Duration.ofSeconds(3));
    TuiModel after = Seen.after(model, new TuiMessage.Surveyed(slow));
    assertThat(after.agenda().survey()).isEqualTo(Seen.NOW.plusSeconds(60));
  }

  @Test
  void whoIsAwayIsTriedAgainWithLongerPausesAndWhatWasReadStays() {
    TuiModel away = model;
    for (int i = 0; i < 8; i++) {
      away = Seen.after(away, new TuiMessage.Failed(new TuiEffect.Survey(), "no\u001b[2J answer"));
    }
    assertThat(away.link().away()).isTrue();
    assertThat(away.link().why()).doesNotContain("\u001b");
    assertThat(away.agenda().survey()).isEqualTo(Seen.NOW.plus(ConnectionState.LONGEST_PAUSE));
    assertThat(away.overview()).isPresent();
    TuiStep tried = Reducer.next(away, new TuiMessage.Ticked(Seen.NOW.plusSeconds(11)));
    assertThat(tried.effects()).containsExactly(new TuiEffect.Survey());
    TuiModel back = Seen.after(tried.model(), new TuiMessage.Surveyed(Seen.overview()));
    assertThat(back.link().away()).isFalse();
    assertThat(Seen.text(back)).contains("it answers again");
  }

  @Test
  void answersOfAnOlderFilterAreNotShown() {
    TuiStep typed = press(Seen.pressed(model, '/'), 'z');
    KeyFilter filter = new KeyFilter("", "z", Set.of());
    assertThat(typed.effects()).containsExactly(new TuiEffect.FetchPage(filter, Seen.BEGINNING));
    TuiStep late =
        Reducer.next(
            typed.model(),
            new TuiMessage.Paged(KeyFilter.ALL, Seen.BEGINNING, new KeyPage(Seen.keys(), "")));
    assertThat(late.model().keys().rows()).isZero();
    TuiModel left = press(typed.model(), KeyPress.Kind.ESCAPE).model();
    assertThat(left.keys().filter()).isEqualTo(KeyFilter.ALL);
  }
}
