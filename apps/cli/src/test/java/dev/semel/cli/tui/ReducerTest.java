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
  private final Model model = Seen.model(140, 40);

  private static Step press(Model model, Object press) {
    return Reducer.next(model, new Message.Pressed(Seen.press(press)));
  }

  private static Step control(Model model, char letter) {
    return Reducer.next(model, new Message.Pressed(Press.control(letter)));
  }

  @Test
  void everyShortcutOfTheTable() {
    assertThat(press(model, Press.Kind.TAB).model().panel()).isEqualTo(Panel.KEYS);
    assertThat(press(model, 'c').model().panel()).isEqualTo(Panel.CONFIG);
    assertThat(press(model, 'k').model().panel()).isEqualTo(Panel.KEYS);
    assertThat(press(model, 'o').model().panel()).isEqualTo(Panel.OUTBOX);
    assertThat(press(model, '4').model().panel()).isEqualTo(Panel.CONFIG);
    assertThat(press(model, 's').effects()).containsExactly(new Effect.Export());
    assertThat(press(model, 'h').model().dialog()).isInstanceOf(Dialog.Help.class);
    assertThat(press(model, 'q').model().left()).isTrue();
    assertThat(control(model, 'c').model().left()).isTrue();
    assertThat(press(model, 'r').effects()).contains(new Effect.Survey(), new Effect.Listen("15"));
    assertThat(press(Seen.pressed(model, 'c'), 'f').effects())
        .containsExactly(new Effect.CleanUp());
    assertThat(press(model, 'f').effects()).as("only in the configuration").isEmpty();
  }

  @Test
  void deletionIsAskedForAndOnlyYesDoesIt() {
    Model asked = Seen.pressed(Seen.details(model), 'd');
    Key key = model.keys().chosen().orElseThrow().key();
    assertThat(asked.dialog()).isInstanceOf(Dialog.Confirm.class);
    for (Object other : List.of('d', Press.Kind.ENTER, 'n', Press.Kind.ESCAPE)) {
      assertThat(press(asked, other).effects()).isEmpty();
    }
    assertThat(press(asked, 'n').model().dialog()).isInstanceOf(Dialog.Details.class);
    assertThat(press(asked, 'y').effects()).containsExactly(new Effect.Delete(key));
  }

  @Test
  void resetIsAskedForInTheConfigurationAlone() {
    assertThat(control(model, 'r').model().dialog()).isInstanceOf(Dialog.None.class);
    Step asked = control(Seen.pressed(model, 'c'), 'r');
    assertThat(asked.effects()).isEmpty();
    assertThat(press(asked.model(), 'y').effects()).containsExactly(new Effect.ResetCounts());
  }

  @Test
  void settingsAreCheckedBeforeTheyAreSent() {
    Model form = Seen.pressed(model, 'c', Press.Kind.ENTER, Press.Kind.RIGHT, Press.Kind.RIGHT);
    assertThat(press(form, Press.Kind.ENTER).effects())
        .containsExactly(
            new Effect.Change(new Operation("payments"), Map.of(OperationSetting.MODE, "observe")));
    Model wrong = Seen.pressed(model, 'c', Press.Kind.ENTER, Press.Kind.DOWN, 'x');
    Step refused = press(wrong, Press.Kind.ENTER);
    assertThat(refused.effects()).isEmpty();
    assertThat(Seen.text(refused.model())).contains("retention can't be \"24hx\"");
  }

  @Test
  void eachThingIsAskedForOnceAtATime() {
    Model begin = Model.begin(140, 40, Seen.NOW);
    Step first = Reducer.next(begin, new Message.Ticked(Seen.NOW));
    assertThat(first.effects())
        .containsExactlyInAnyOrder(
            new Effect.Survey(),
            new Effect.Listen(""),
            new Effect.FetchPage(KeyFilter.ALL, Seen.BEGINNING));
    Step second = Reducer.next(first.model(), new Message.Ticked(Seen.NOW.plusSeconds(60)));
    assertThat(second.effects()).as("while all are under way").isEmpty();
  }

  @Test
  void slowStoreIsAskedLessOften() {
    Overview quick = Seen.overview();
    Overview slow =
        new Overview(
            quick.stats(),
            quick.queues(),
            quick.health(),
            quick.alerts(),
            quick.counsel(),
            quick.outbox(),
            Duration.ofSeconds(1),
            Duration.ofSeconds(3));
    Model after = Seen.after(model, new Message.Surveyed(slow));
    assertThat(after.agenda().survey()).isEqualTo(Seen.NOW.plusSeconds(60));
  }

  @Test
  void whoIsAwayIsTriedAgainWithLongerPausesAndWhatWasReadStays() {
    Model away = model;
    for (int i = 0; i < 8; i++) {
      away = Seen.after(away, new Message.Failed(new Effect.Survey(), "no\u001b[2J answer"));
    }
    assertThat(away.link().away()).isTrue();
    assertThat(away.link().why()).doesNotContain("\u001b");
    assertThat(away.agenda().survey()).isEqualTo(Seen.NOW.plus(Link.LONGEST_PAUSE));
    assertThat(away.overview()).isPresent();
    Step tried = Reducer.next(away, new Message.Ticked(Seen.NOW.plusSeconds(11)));
    assertThat(tried.effects()).containsExactly(new Effect.Survey());
    Model back = Seen.after(tried.model(), new Message.Surveyed(Seen.overview()));
    assertThat(back.link().away()).isFalse();
    assertThat(Seen.text(back)).contains("it answers again");
  }

  @Test
  void answersOfAnOlderFilterAreNotShown() {
    Step typed = press(Seen.pressed(model, '/'), 'z');
    KeyFilter filter = new KeyFilter("", "z", Set.of());
    assertThat(typed.effects()).containsExactly(new Effect.FetchPage(filter, Seen.BEGINNING));
    Step late =
        Reducer.next(
            typed.model(),
            new Message.Paged(KeyFilter.ALL, Seen.BEGINNING, new KeyPage(Seen.keys(), "")));
    assertThat(late.model().keys().rows()).isZero();
    Model left = press(typed.model(), Press.Kind.ESCAPE).model();
    assertThat(left.keys().filter()).isEqualTo(KeyFilter.ALL);
  }
}
