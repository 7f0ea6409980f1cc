package dev.semel.proof.flow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.proof.flow.FlowJudgement.Finding;
import dev.semel.proof.flow.StreamJudge.Harvest;
import dev.semel.proof.flow.StreamJudge.Place;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Streams that are right, and each way in which one can be wrong. */
class StreamJudgeTest {
  private static final List<String> RIGHT = List.of("p/1/0", "p/1/1", "p/2/0", "p/2/1");
  private static final List<Place> RACE =
      List.of(new Place("race/a/0", 0), new Place("race/b/0", 1));

  /** The first three are acknowledged, and so is the race. */
  private static List<ProcessNote> notes() {
    List<ProcessNote> notes = new ArrayList<>();
    RIGHT.forEach(entry -> append(notes, entry, "lines", !entry.equals("p/2/1")));
    RACE.forEach(each -> append(notes, each.entry(), "race", true));
    return notes;
  }

  private static void append(List<ProcessNote> notes, String entry, String stream, boolean told) {
    notes.add(new ProcessNote(notes.size(), "client-1", StreamJudge.APPENDS, entry, stream));
    if (told) {
      notes.add(new ProcessNote(notes.size(), "client-1", StreamJudge.ACKNOWLEDGED, entry, stream));
    }
  }

  private static FlowJudgement judge(List<String> lines, List<Place> race) {
    return StreamJudge.judge(
        notes(), "race", new Harvest(Map.of("lines", lines), race, Map.of(), Optional.empty()));
  }

  private static List<String> broken(FlowJudgement judgement) {
    return judgement.findings().stream().map(Finding::promise).distinct().toList();
  }

  @Test
  void whatWasAcknowledgedIsThereOnceAndTheOtherMayBe() {
    assertThat(judge(RIGHT, RACE).findings()).isEmpty();
    assertThat(judge(RIGHT.subList(0, 3), RACE).findings()).isEmpty();
  }

  @Test
  void lostAppendIsNamed() {
    FlowJudgement judgement = judge(List.of("p/1/0", "p/2/0"), RACE);

    assertThat(broken(judgement)).containsExactly("nothing acknowledged is lost");
    assertThat(judgement.examples().get(0).id()).isEqualTo("p/1/1");
    assertThat(judgement.examples().get(0).notes()).hasSize(2);
  }

  @Test
  void streamThatIsGoneLostEverything() {
    FlowJudgement judgement =
        StreamJudge.judge(notes(), "race", new Harvest(Map.of(), RACE, Map.of(), Optional.empty()));

    assertThat(judgement.examples()).hasSize(3);
  }

  @Test
  void doubledAppendIsNamed() {
    assertThat(broken(judge(List.of("p/1/0", "p/1/1", "p/1/1", "p/2/0"), RACE)))
        .containsExactly("nothing is there twice");
  }

  @Test
  void reorderedAppendIsNamed() {
    assertThat(broken(judge(List.of("p/1/1", "p/1/0", "p/2/0"), RACE)))
        .containsExactly("what one producer appended is in its order");
  }

  @Test
  void ghostIsNamed() {
    assertThat(broken(judge(List.of("p/1/0", "p/1/1", "p/2/0", "p/2/7"), RACE)))
        .containsExactly("nothing is there that nobody appended");
  }

  @Test
  void appendOfOneThatWasReplacedIsNamed() {
    FlowJudgement judgement = judge(List.of("p/1/0", "p/2/0", "p/1/1", "p/2/1"), RACE);

    assertThat(broken(judgement)).containsExactly("who was replaced appends no more");
    assertThat(judgement.findings().get(0).what())
        .isEqualTo("p/1/1 was appended after p/2 had taken its place");
  }

  @Test
  void twoWinnersOfARaceAreNamed() {
    FlowJudgement judgement =
        judge(RIGHT, List.of(new Place("race/a/0", 0), new Place("race/b/0", 0)));

    assertThat(broken(judgement)).containsExactly("each race has one winner");
    assertThat(judgement.findings().get(0).what())
        .isEqualTo("race/a/0 and race/b/0 both won place 0");
  }

  @Test
  void serverThatShowsAnotherStreamIsHeard() {
    assertThat(
            broken(
                StreamJudge.judge(
                    notes(),
                    "race",
                    new Harvest(
                        Map.of("lines", RIGHT),
                        RACE,
                        Map.of("lines", "server-2 shows other entries"),
                        Optional.empty()))))
        .containsExactly("every server shows the same");
  }

  @Test
  void whereNothingWasAcknowledgedNothingIsProved() {
    FlowJudgement judgement =
        StreamJudge.judge(
            List.of(),
            "race",
            new Harvest(Map.of("lines", List.of()), List.of(), Map.of(), Optional.empty()));

    assertThat(judgement.findings()).isEmpty();
    assertThat(judgement.unproved()).contains("Nothing was acknowledged, so nothing is proved");
  }

  @Test
  void whatCouldNotBeReadIsNotLostButNothingIsProved() {
    FlowJudgement judgement =
        StreamJudge.judge(
            notes(), "race", new Harvest(Map.of(), List.of(), Map.of(), Optional.of("it is away")));

    assertThat(judgement.findings()).isEmpty();
    assertThat(judgement.unproved()).contains("it is away");
  }
}
